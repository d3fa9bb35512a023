// rubric judge: records a CHIE judge's replies to answers in a ledger.
#include "cli/judge/judge.h"

#include <algorithm>

#include "cli/judge/modes.h"
#include "core/error.h"
#include "core/system/log.h"
#include "judge/ledger/writer.h"
#include "judge/request.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::cli {

namespace {
namespace po = boost::program_options;

// The options of only one of the two ways.
constexpr const char* kOfInput[] = {
    "preference",        "one-order",       "endpoint",      "parameters", "key-variable",
    "parallel",          "attempts",        "retries",       "timeout",    "requests-per-minute",
    "tokens-per-minute", "budget-requests", "budget-tokens", "dry-run"};
}  // namespace

CommandSyntax judge_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric judge --input FILE --ledger FILE --endpoint URL --judge MODEL [options]\n"
      "       rubric judge --preference --input FILE --ledger FILE --endpoint URL --judge MODEL …\n"
      "       rubric judge --import FILE --ledger FILE --judge MODEL [options]\n"
      "\n"
      "Asks a language model about answers as CHIE does (Phatthiyaphaibun et al. 2024): is one\n"
      "correct, helpful, irrelevant, extraneous? Every reply is appended to a ledger, JSON lines,\n"
      "which `evaluate chie` reads. --input asks an OpenAI-compatible endpoint; --import takes\n"
      "replies that were recorded before, and nothing is sent anywhere. A row of the file has\n"
      "passage (or context), question, reference (or references), candidate and perhaps id and\n"
      "system. --preference asks which of two answers is better, answer_a or answer_b, of each "
      "pair\n"
      "in both orders; `evaluate preference` reads that ledger. A call that was stopped is given\n"
      "again: what the ledger holds is not asked again.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [](int64_t value) {
    return po::value<int64_t>()->default_value(value)->value_name("N");
  };
  auto add = syntax.options.add_options();
  add("input,i", text("FILE"), "the answers to be judged");
  add("import", text("FILE"), "answers with recorded replies");
  add("preference", "ask for the better of two answers");
  add("one-order", "--preference: with answer_a shown first alone, as the paper does");
  add("ledger", text("FILE")->required(), "the ledger to append to");
  add("judge", text("MODEL")->required(), "the model that judges, such as gpt-4-0613");
  add("system-name", text("NAME"), "what gave the answers, where the rows do not say");
  add("language", text("CODE"),
      "of the answers, where the rows do not say: en (the default), th, zh, …");
  add("prompt", text("FILE"),
      "what is sent as instruction: a text, or a result file that CHIE's authors published, which\n"
      "quotes theirs; else rubric's own (configs/prompts) or, with --import, unknown");
  add("field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the file's own name of a field, such as candidate=prediction, or reply=gpt4 with --import; "
      "may be repeated");
  add("endpoint", text("URL"), "such as https://api.openai.com/v1, http://localhost:8000/v1");
  add("key-variable", text("NAME"),
      "the environment variable with the endpoint's key; else OPENAI_API_KEY, over https alone");
  add("parameters", text("JSON")->default_value("{\"max_tokens\": 1024, \"temperature\": 0.2}"),
      "sent beside model and messages; the paper's are the default");
  add("parallel", number(8), "requests in flight at a time");
  add("attempts", number(3), "replies to ask for while none holds four verdicts (or a preference)");
  add("retries", number(8), "of a request that fails (limits, server errors, connections)");
  add("timeout", number(300), "seconds that a request may take");
  add("requests-per-minute", number(0), "at most; 0: no limit");
  add("tokens-per-minute", number(0), "at most; 0: no limit");
  add("budget-requests", number(0), "requests of this call, at most; 0: no limit");
  add("budget-tokens", number(0), "tokens of this call, at most about; 0: no limit");
  add("mixed", "let the ledger hold several judges, prompts and parameters");
  add("dry-run", "print the first prompts and what would be asked; ask nothing");
  add_input_format_option(syntax);
  syntax.inputs = {"input", "import", "prompt"};
  syntax.outputs = {"ledger"};
  syntax.resumes = syntax.appends = true;
  syntax.renamed = {{"system", "system-name"},
                    {"answer-column", "field", "candidate="},
                    {"reply-column", "field", "reply="}};
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
  throw InputError("--one-order is of --preference", "command line", "leave it out");
}

// Throws InputError when an option that only --input has is given.
void refuse_of_input(const OptionValues& values) {
  for (const char* const option : kOfInput) {
    if (!is_given(values, option)) continue;
    throw InputError(std::string("--") + option + " is of --input", "command line", "leave it out");
  }
}

// The number of replies that the strict parser reads differently.
int64_t disagreements(const std::vector<judge::LedgerEntry>& entries) {
  return std::ranges::count_if(entries, [](const judge::LedgerEntry& entry) {
    return judge::published_verdicts(entry.reply) != judge::strict_verdicts(entry.reply);
  });
}

int64_t invalid(const std::vector<judge::LedgerEntry>& entries) {
  return std::ranges::count_if(entries, [](const judge::LedgerEntry& entry) {
    return !judge::published_verdicts(entry.reply);
  });
}

}  // namespace

judge::JudgedRows judged_rows_options(const OptionValues& values) {
  judge::JudgedRows rows;
  rows.system = name_option(values, "system-name");
  rows.language = name_option(values, "language");
  if (!rows.language.empty()) judge::require_language_code(rows.language, "--language");
  rows.judge.judge = name_option(values, "judge");
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
  log_warning(ledger.file.string() + ": the last line was torn and is taken off (" +
              std::to_string(ledger.end.torn_bytes) + " bytes)");
}

int run_judge(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(judge_syntax(), arguments);
  if (!values) return kDone;
  const bool imports = values->contains("import");
  if (imports == values->contains("input")) {
    throw InputError("give --input, to ask a judge, or --import, for recorded replies",
                     "command line", "--help says more");
  }
  if (imports) {
    refuse_of_input(*values);
    return run_judge_import(*values);
  }
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
  const std::string counts = std::to_string(entries.size()) + " replies, " +
                             std::to_string(invalid(entries)) + " without four verdicts, " +
                             std::to_string(disagreements(entries)) +
                             " read otherwise by the strict parser";
  judge::LedgerWriter writer(ledger, rows.judge, ledger_mix_option(values));
  warn_of_torn_line(writer.before());
  const size_t all = entries.size();
  entries = judge::unrecorded(std::move(entries), writer.before());
  writer.append(entries);
  writer.flush();
  log_info(ledger + ": " + std::to_string(entries.size()) + " replies added, " +
           std::to_string(all - entries.size()) + " there before; " + rows.judge.judge + ": " +
           counts);
  return kDone;
}

}  // namespace rubric::cli
