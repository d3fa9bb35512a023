// judge --import: replies that were recorded before.
#include <algorithm>

#include "cli/judge/modes.h"
#include "core/error.h"
#include "core/system/log.h"
#include "judge/ledger/ledger_writer.h"
#include "judge/verdicts/verdicts.h"

namespace rubric {
namespace {

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

}  // namespace

int run_judge_import(const OptionValues& values) {
  const std::string input = file_option(values, "import");
  const std::string ledger = output_option(values, "ledger");
  check_replaces_none("ledger", ledger, {input, file_option(values, "prompt")});
  JudgedRows rows = judged_rows_options(values);
  rows.judge.prompt = prompt_option(values);
  rows.reply_column = text_option(values, "reply-column");

  std::vector<LedgerEntry> entries =
      read_judged_rows(input, input_format_option(values, input), rows);
  const std::string counts = std::to_string(entries.size()) + " replies, " +
                             std::to_string(invalid(entries)) + " without four verdicts, " +
                             std::to_string(disagreements(entries)) +
                             " read otherwise by the strict parser";
  LedgerWriter writer(ledger, rows.judge, ledger_mix_option(values));
  warn_of_torn_line(writer.before());
  const size_t all = entries.size();
  entries = unrecorded(std::move(entries), writer.before());
  writer.append(entries);
  writer.flush();
  log_info(ledger + ": " + std::to_string(entries.size()) + " replies added, " +
           std::to_string(all - entries.size()) + " there before; " + rows.judge.judge + ": " +
           counts);
  return kDone;
}

}  // namespace rubric
