// rubric judge: records a CHIE judge's replies to answers in a ledger.
#include "cli/judge/judge.h"

#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "judge/ledger/writer.h"
#include "judge/request.h"

namespace rubric::cli {
namespace {

judge::JudgedKind kind_of(const JudgeRequest& request) {
  if (!request.preference) return judge::JudgedKind::answers;
  return request.one_order ? judge::JudgedKind::pairs_in_one_order : judge::JudgedKind::pairs;
}

// The rows, without prompt and parameters; the column of replies if a field names it.
judge::JudgedRows rows_of(const JudgeRequest& request) {
  judge::JudgedRows rows = request.rows;
  rows.kind = kind_of(request);
  rows.fields = request.row_format.fields;
  if (!rows.language.empty()) judge::require_language_code(rows.language, "--language");
  if (!request.parser.empty()) {
    rows.judge.parser = judge::parser_of_name(request.parser, "--parser");
  }
  std::vector<std::string> fields = judge::judged_fields(rows.kind);
  if (!request.recorded.empty()) fields.emplace_back("reply");
  data::require_fields(rows.fields, fields);
  if (const auto reply = rows.fields.extract("reply")) rows.reply_column = reply.mapped();
  return rows;
}

// Adds replies that were recorded before.
void import_recorded(const JudgeRequest& request, judge::JudgedRows rows) {
  const std::filesystem::path& input = request.recorded;
  if (!request.prompt.empty()) rows.judge.prompt = judge::read_judge_prompt(request.prompt);
  if (rows.reply_column.empty()) rows.reply_column = "reply";
  std::vector<judge::LedgerEntry> entries =
      judge::read_judged_rows(input, data::input_format(request.row_format, input), rows);
  judge::require_a_verdict(entries, input);
  judge::LedgerWriter writer(request.ledger, rows.judge, ledger_mix(request));
  warn_of_torn_line(writer.before());
  const judge::ImportedReplies imported = judge::import_replies(std::move(entries), writer);
  const auto text = [](int64_t count) { return std::to_string(count); };
  log_info(request.ledger.string() + ": " + text(imported.added) + " replies added, " +
           text(imported.replies - imported.added) + " there before; " + rows.judge.judge + ": " +
           text(imported.replies) + " replies, " + text(imported.invalid) +
           " without four verdicts, " + text(imported.disagreements) +
           " read differently by the strict parser");
}

}  // namespace

judge::LedgerMix ledger_mix(const JudgeRequest& request) {
  return request.mixed ? judge::LedgerMix::allowed : judge::LedgerMix::refused;
}

void warn_of_torn_line(const judge::RecordedJudgements& ledger) {
  if (ledger.end.torn_bytes == 0) return;
  log_warning(ledger.file.string() + ": the last line was incomplete and is removed (" +
              std::to_string(ledger.end.torn_bytes) + " bytes)");
}

void judge_rows(const JudgeRequest& request, const Context& context) {
  const ContextScope scope(context);
  const bool imports = !request.recorded.empty();
  if (imports == !request.input.empty()) {
    throw InputError("give either --input, to ask a judge, or --import, for recorded replies",
                     "command line", "--help says more");
  }
  if (request.ledger.empty() && !request.dry_run) {
    throw InputError("--ledger is missing", "command line", "name the file to append replies to");
  }
  (imports ? import_recorded : ask_endpoint)(request, rows_of(request));
}

}  // namespace rubric::cli
