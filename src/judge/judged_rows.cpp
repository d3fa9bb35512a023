#include "judge/judged_rows.h"

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

// What the row calls the answer's fields: the published recordings have two names of their own.
FieldNames answer_names(const Json& row, const FieldNames& fields) {
  FieldNames names = fields;
  if (const auto system = names.extract("system")) names["source"] = system.mapped();
  for (const auto& [ours, published] :
       {std::pair("passage", "context"), {"reference", "references"}}) {
    const bool is_published = row.find(ours) == nullptr && row.find(published) != nullptr;
    names.emplace(ours, is_published ? published : ours);
  }
  // An Answer's source is the system.
  if (row.find("system") != nullptr) names.emplace("source", "system");
  return names;
}

std::string system_of(const Answer& answer, const JudgedRows& settings, const std::string& where) {
  if (answer.source.empty() && settings.system.empty()) {
    throw InputError("the row does not say which system the answer is of", where,
                     "give --system NAME, or a field \"system\"");
  }
  if (answer.source.empty() || settings.system.empty() || answer.source == settings.system) {
    return answer.source.empty() ? settings.system : answer.source;
  }
  throw InputError("the row is of the system " + json_quote(answer.source) + ", --system says " +
                       json_quote(settings.system),
                   where, "leave --system out, or the row");
}

void require_texts(const Answer& answer, const FieldNames& names, const std::string& where) {
  constexpr const char* kFillIn = "fill it in, or leave the row out";
  const std::string id = "id " + json_quote(answer.id);
  if (trim(answer.candidate).empty()) {
    throw InputError(
        id + " has no answer in the field " + json_quote(field_name(names, "candidate")), where,
        kFillIn);
  }
  const auto is_empty = [](const std::string& text) { return trim(text).empty(); };
  if (std::ranges::all_of(answer.references, is_empty)) {
    throw InputError(id + " has no reference", where, kFillIn);
  }
}

LedgerEntry entry_of(const Json& row, int64_t number, const JudgedRows& settings,
                     const std::string& where) {
  const FieldNames names = answer_names(row, settings.fields);
  require_field(row, names, "question", where);
  LedgerEntry entry;
  entry.answer = row_answer(row, names, number, where);
  require_texts(entry.answer, names, where);
  entry.answer.source = system_of(entry.answer, settings, where);
  entry.language = settings.language;
  entry.judge = settings.judge.judge;
  entry.parameters = settings.judge.parameters;
  entry.passage_hash = sha256(entry.answer.passage);
  if (!settings.judge.prompt.empty()) entry.prompt_hash = sha256(settings.judge.prompt);
  if (!settings.reply_column.empty()) {
    if (row.find(settings.reply_column) == nullptr) {
      throw InputError("there is no column " + json_quote(settings.reply_column), where,
                       "name the judge's replies with --reply-column");
    }
    entry.reply = optional_text(row, settings.reply_column, where);
  }
  entry.key = request_key(entry.judge, entry.parameters,
                          judge_messages(settings.judge.prompt, entry.answer));
  return entry;
}

}  // namespace

const std::vector<std::string>& judged_fields() {
  static const std::vector<std::string> kFields = {"id",       "system",    "passage",
                                                   "question", "reference", "candidate"};
  return kFields;
}

std::vector<LedgerEntry> read_judged_rows(const std::filesystem::path& file, InputFormat format,
                                          const JudgedRows& settings) {
  std::vector<LedgerEntry> entries;
  std::map<JudgedAnswer, std::string> places;  // of each answer
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    entries.push_back(entry_of(row, std::ssize(entries) + 1, settings, where));
    const LedgerEntry& entry = entries.back();
    const auto [first, is_new] = places.emplace(judged_answer(entry), where);
    if (is_new) return true;
    throw InputError(
        "the id " + json_quote(entry.answer.id) + " stands twice for " + entry.answer.source,
        first->second + " and " + where, "give each row an id of its own");
  });
  if (entries.empty()) throw InputError("the file has no rows", file.string());
  return entries;
}

}  // namespace rubric
