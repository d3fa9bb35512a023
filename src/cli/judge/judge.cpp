// rubric judge: records a CHIE judge's replies to answers in a ledger.
#include "cli/judge/judge.h"

#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "judge/ledger/writer.h"
#include "judge/request.h"

namespace rubric::cli {

namespace {
namespace po = boost::program_options;

// The options that are only valid with --input.
constexpr const char* kOnlyWithInput[] = {
    "preference",        "one-order",       "endpoint",      "parameters", "key-variable",
    "parallel",          "attempts",        "retries",       "timeout",    "requests-per-minute",
    "tokens-per-minute", "budget-requests", "budget-tokens", "dry-run"};
}  // namespace

CommandSyntax judge_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [](int64_t value) {
    return po::value<int64_t>()->default_value(value)->value_name("N");
  };
  auto add = syntax.options.add_options();
  add("input,i", text("FILE"), "the answers to be judged");
  add("import", text("FILE"), "answers with recorded replies");
  add("preference", "ask for the better of two answers");
  add("one-order",
      "with --preference: ask each pair only once, with answer_a first, as the paper does");
  add("ledger", text("FILE"), "the ledger to append to; a dry run needs none");
  add("judge", text("MODEL")->required(), "the model that judges, such as gpt-4-0613");
  add("system-name", text("NAME"), "the system that gave the answers, if the rows do not say");
  add("language", text("CODE"),
      "the language of the answers, if the rows do not say: en (the default), th, zh, …");
  add("prompt", text("FILE"),
      "the file with the instruction for the model: a text, or a result file of CHIE's authors, "
      "which quotes theirs; else rubric's own (configs/prompts) or, with --import, unknown");
  add("field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the file's own name of a field, such as candidate=prediction, or reply=gpt4 with --import; "
      "may be repeated");
  add("endpoint", text("URL"), "such as https://api.openai.com/v1, http://localhost:8000/v1");
  add("key-variable", text("NAME"),
      "the environment variable with the endpoint's key; else OPENAI_API_KEY, only over https");
  add("parameters", text("JSON")->default_value("{\"max_tokens\": 1024, \"temperature\": 0.2}"),
      "sent with model and messages; the default is the paper's");
  add("parallel", number(8), "requests in flight at a time");
  add("attempts", number(3),
      "the most replies to ask for until one holds four verdicts (or a preference)");
  add("retries", number(8), "retries of a request that fails (limits, server errors, connections)");
  add("timeout", number(300), "the most seconds of a request");
  add("requests-per-minute", number(0), "the most; 0: no limit");
  add("tokens-per-minute", number(0), "the most; 0: no limit");
  add("budget-requests", number(0), "the most requests of this call; 0: no limit");
  add("budget-tokens", number(0), "the most tokens of this call, roughly; 0: no limit");
  add("mixed", "let the ledger hold several judges, prompts and parameters");
  add("dry-run",
      "print the first prompts and the number of requests; ask nothing; needs neither "
      "--ledger nor --endpoint");
  syntax.options.add_options()(
      "parser", po::value<std::string>()->value_name("NAME"),
      "how replies are read: published, as the authors' code reads them, or strict, by aspect; "
      "without it judge takes published, and other commands the parser of each reply in the "
      "ledger");
  add_reference_separator_option(syntax);
  add_input_format_option(syntax);
  syntax.inputs = {"input", "import", "prompt"};
  syntax.outputs = {"ledger"};
  syntax.resumes = syntax.appends = true;
  return syntax;
}

namespace {

std::string name_option(const OptionValues& values, const std::string& name) {
  std::string value = text_option(values, name);
  if (!value.empty() || !values.contains(name)) return value;
  throw InputError("--" + name + " is empty", "command line", "--help says what it names");
}

judge::JudgedKind kind_option(const OptionValues& values) {
  if (values.contains("preference")) {
    return values.contains("one-order") ? judge::JudgedKind::pairs_in_one_order
                                        : judge::JudgedKind::pairs;
  }
  if (!values.contains("one-order")) return judge::JudgedKind::answers;
  throw InputError("--one-order is only valid with --preference", "command line", "leave it out");
}

// Throws InputError for an option that is only valid with --input.
void refuse_options_of_input(const OptionValues& values) {
  for (const char* const option : kOnlyWithInput) {
    if (!is_given(values, option)) continue;
    throw InputError(std::string("--") + option + " is only valid with --input", "command line",
                     "leave it out");
  }
}

}  // namespace

judge::JudgedRows judged_rows_options(const OptionValues& values) {
  judge::JudgedRows rows;
  rows.system = name_option(values, "system-name");
  rows.language = name_option(values, "language");
  if (!rows.language.empty()) judge::require_language_code(rows.language, "--language");
  rows.judge.judge = name_option(values, "judge");
  if (const std::string parser = text_option(values, "parser"); !parser.empty()) {
    rows.judge.parser = judge::parser_of_name(parser, "--parser");
  }
  rows.reference_separator = reference_separator_option(values);
  rows.kind = kind_option(values);
  std::vector<std::string> fields = judge::judged_fields(rows.kind);
  if (values.contains("import")) fields.emplace_back("reply");
  rows.fields = data::parse_field_names(list_option(values, "field"), fields);
  if (const auto reply = rows.fields.extract("reply")) rows.reply_column = reply.mapped();
  return rows;
}

std::string prompt_option(const OptionValues& values, const std::filesystem::path& otherwise) {
  const std::string prompt = file_option(values, "prompt");
  if (prompt.empty() && otherwise.empty()) return "";
  return judge::read_judge_prompt(prompt.empty() ? otherwise : std::filesystem::path(prompt));
}

judge::LedgerMix ledger_mix_option(const OptionValues& values) {
  return values.contains("mixed") ? judge::LedgerMix::allowed : judge::LedgerMix::refused;
}

void warn_of_torn_line(const judge::RecordedJudgements& ledger) {
  if (ledger.end.torn_bytes == 0) return;
  log_warning(ledger.file.string() + ": the last line was incomplete and is removed (" +
              std::to_string(ledger.end.torn_bytes) + " bytes)");
}

int run_judge(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(judge_syntax(), arguments);
  if (!values) return kDone;
  const bool imports = values->contains("import");
  if (imports == values->contains("input")) {
    throw InputError("give either --input, to ask a judge, or --import, for recorded replies",
                     "command line", "--help says more");
  }
  if (imports) {
    refuse_options_of_input(*values);
  }
  if (!values->contains("ledger") && !values->contains("dry-run")) {
    throw InputError("--ledger is missing", "command line", "name the file to append replies to");
  }
  if (imports) return run_judge_import(*values);
  return run_judge_endpoint(*values);
}

// judge --import: adds replies that were recorded before.
int run_judge_import(const OptionValues& values) {
  const std::string input = file_option(values, "import");
  const std::string ledger = output_option(values, "ledger");
  check_replaces_none("ledger", ledger, {input, file_option(values, "prompt")});
  judge::JudgedRows rows = judged_rows_options(values);
  rows.judge.prompt = prompt_option(values);
  if (rows.reply_column.empty()) rows.reply_column = "reply";

  std::vector<judge::LedgerEntry> entries =
      judge::read_judged_rows(input, input_format_option(values, input), rows);
  judge::require_a_verdict(entries, input);
  judge::LedgerWriter writer(ledger, rows.judge, ledger_mix_option(values));
  warn_of_torn_line(writer.before());
  const judge::ImportedReplies imported = judge::import_replies(std::move(entries), writer);
  const auto text = [](int64_t count) { return std::to_string(count); };
  log_info(ledger + ": " + text(imported.added) + " replies added, " +
           text(imported.replies - imported.added) + " there before; " + rows.judge.judge + ": " +
           text(imported.replies) + " replies, " + text(imported.invalid) +
           " without four verdicts, " + text(imported.disagreements) +
           " read differently by the strict parser");
  return kDone;
}

}  // namespace rubric::cli
