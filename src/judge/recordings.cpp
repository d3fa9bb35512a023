#include "judge/recordings.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"
#include "data/answer_rows.h"
#include "data/row_fields.h"
#include "data/rows.h"
#include "judge/request.h"

namespace rubric {
namespace {

void require_column(const Json& row, const std::string& column, const std::string& option,
                    const std::string& where) {
  if (row.find(column) != nullptr) return;
  std::vector<std::string> columns;
  for (const auto& [name, value] : row.object()) columns.push_back(name);
  const std::string nearest = nearest_name(column, columns);
  throw InputError("there is no column " + json_quote(column), where,
                   "name one with " + option + (nearest.empty() ? "" : " " + nearest) +
                       "; the columns are " + join_some(columns));
}

// What the row calls our fields: the published recordings have two names of their own.
FieldNames field_names(const Json& row, const RecordingSettings& settings) {
  FieldNames names = {{"candidate", settings.answer_column}};
  for (const auto& [ours, published] :
       {std::pair("passage", "context"), {"reference", "references"}}) {
    const bool is_published = row.find(ours) == nullptr && row.find(published) != nullptr;
    names[ours] = is_published ? published : ours;
  }
  return names;
}

LedgerEntry entry_of(const Json& row, int64_t number, const RecordingSettings& settings,
                     const std::string& where) {
  require_column(row, settings.answer_column, "--answer-column", where);
  require_column(row, settings.reply_column, "--reply-column", where);
  require_field(row, {}, "question", where);
  LedgerEntry entry;
  entry.answer = row_answer(row, field_names(row, settings), number, where);
  entry.answer.source = settings.system;
  if (trim(entry.answer.candidate).empty()) {
    throw InputError("id " + json_quote(entry.answer.id) + " has no answer in the column " +
                         json_quote(settings.answer_column),
                     where, "fill it in, or leave the row out");
  }
  const auto& references = entry.answer.references;
  if (std::ranges::all_of(references, [](const auto& text) { return trim(text).empty(); })) {
    throw InputError("id " + json_quote(entry.answer.id) + " has no reference", where,
                     "fill it in, or leave the row out");
  }
  entry.language = settings.language;
  entry.judge = settings.judge.judge;
  entry.passage_hash = sha256(entry.answer.passage);
  if (!settings.judge.prompt.empty()) entry.prompt_hash = sha256(settings.judge.prompt);
  entry.reply = optional_text(row, settings.reply_column, where);
  const Json no_parameters{Json::Object()};  // what they were is not recorded
  entry.key =
      request_key(entry.judge, no_parameters, judge_messages(settings.judge.prompt, entry.answer));
  return entry;
}

}  // namespace

std::vector<LedgerEntry> read_recordings(const std::filesystem::path& file, InputFormat format,
                                         const RecordingSettings& settings) {
  std::vector<LedgerEntry> entries;
  std::map<std::string, std::string> places;  // of each id
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    entries.push_back(entry_of(row, std::ssize(entries) + 1, settings, where));
    const std::string& id = entries.back().answer.id;
    const auto [first, is_new] = places.emplace(id, where);
    if (is_new) return true;
    throw InputError("the id " + json_quote(id) + " stands twice", first->second + " and " + where,
                     "give each row an id of its own");
  });
  if (entries.empty()) throw InputError("the file has no rows", file.string());
  return entries;
}

std::vector<LedgerEntry> new_entries(std::vector<LedgerEntry> entries, const Ledger& ledger,
                                     const std::filesystem::path& ledger_file) {
  std::map<JudgedAnswer, size_t> recorded;
  for (size_t i = 0; i < ledger.entries.size(); ++i) {
    recorded.emplace(judged_answer(ledger.entries[i]), i);
  }
  std::erase_if(entries, [&](const LedgerEntry& entry) {
    const auto found = recorded.find(judged_answer(entry));
    if (found == recorded.end()) return false;
    if (to_json(ledger.entries[found->second]).dump() == to_json(entry).dump()) return true;
    throw InputError("the ledger holds another judgement of id " + json_quote(entry.answer.id) +
                         " of " + entry.answer.source,
                     ledger_file.string() + ":" + std::to_string(found->second + 1),
                     "give another --system, or another ledger");
  });
  return entries;
}

}  // namespace rubric
