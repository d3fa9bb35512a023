// rubric judge: the CHIE judge's replies to answers, in a ledger.
#include <algorithm>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/log.h"
#include "judge/recordings.h"
#include "judge/request.h"
#include "judge/verdicts.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric judge --import FILE --ledger FILE --system NAME --judge MODEL [options]\n"
      "\n"
      "Replays recorded replies of a CHIE judge (Phatthiyaphaibun et al. 2024): appends them to a\n"
      "ledger, JSON lines, which `evaluate chie` reads. A row of the file has passage (or\n"
      "context), question, reference (or references), the answer, the reply and perhaps id. What\n"
      "the ledger holds already is left as it is, so that a stopped call can be given again. A\n"
      "ledger is of one judge and one prompt. Nothing is sent anywhere.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("import", text("FILE")->required(), "the recorded replies")(
      "ledger", text("FILE")->required(), "the ledger to append to")(
      "system", text("NAME")->required(), "what gave the answers")(
      "judge", text("MODEL")->required(), "what gave the replies, such as gpt-4-0613")(
      "language", text("CODE")->default_value("en"), "of the answers: en, th, zh, …")(
      "answer-column", text("NAME")->default_value("candidate"), "the column of the answers")(
      "reply-column", text("NAME")->default_value("reply"), "the column of the replies")(
      "prompt", text("FILE"),
      "the criteria that were sent: a text, or a result file that CHIE's authors published");
  add_input_format_option(syntax);
  return syntax;
}

std::string name_option(const OptionValues& values, const std::string& name) {
  std::string value = text_option(values, name);
  if (!value.empty()) return value;
  throw InputError("--" + name + " is empty", "command line", "--help says what it names");
}

// The replies that the strict parser reads otherwise.
int64_t disagreements(const std::vector<LedgerEntry>& entries) {
  return std::ranges::count_if(entries, [](const LedgerEntry& entry) {
    return published_verdicts(entry.reply) != strict_verdicts(entry.reply);
  });
}

int64_t invalid(const std::vector<LedgerEntry>& entries) {
  return std::ranges::count_if(
      entries, [](const LedgerEntry& entry) { return !published_verdicts(entry.reply); });
}

// A ledger keeps it for ever, and words are cut by it.
std::string language_option(const OptionValues& values) {
  std::string code = name_option(values, "language");
  const size_t size = std::min(code.find('-'), code.size());
  const bool is_code = size == 2 && std::ranges::all_of(code.substr(0, size), [](char c) {
                         return c >= 'a' && c <= 'z';
                       });
  if (is_code) return code;
  throw InputError("the language is no code of two letters", "--language " + code,
                   "give one such as en, th or zh-Hant");
}

}  // namespace

int run_judge(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  const std::string input = file_option(*values, "import");
  const std::string prompt = file_option(*values, "prompt");
  const std::string ledger = output_option(*values, "ledger");
  check_replaces_none("ledger", ledger, {input, prompt});
  RecordingSettings settings;
  settings.system = name_option(*values, "system");
  settings.language = language_option(*values);
  settings.judge.judge = name_option(*values, "judge");
  if (!prompt.empty()) settings.judge.prompt = read_judge_prompt(prompt);
  settings.answer_column = name_option(*values, "answer-column");
  settings.reply_column = name_option(*values, "reply-column");

  const std::vector<LedgerEntry> recorded =
      read_recordings(input, input_format_option(*values, input), settings);
  LedgerWriter writer(ledger, settings.judge);
  if (writer.before().torn_bytes > 0) {
    log_warning(ledger + ": the last line was torn and is taken off (" +
                std::to_string(writer.before().torn_bytes) + " bytes)");
  }
  const std::vector<LedgerEntry> added = new_entries(recorded, writer.before(), ledger);
  writer.append(added);
  writer.flush();
  log_info(ledger + ": " + std::to_string(added.size()) + " replies added, " +
           std::to_string(recorded.size() - added.size()) + " there before; " +
           settings.judge.judge + " on " + settings.system + ": " +
           std::to_string(recorded.size()) + " replies, " + std::to_string(invalid(recorded)) +
           " without four verdicts, " + std::to_string(disagreements(recorded)) +
           " read otherwise by the strict parser");
  return kDone;
}

}  // namespace rubric
