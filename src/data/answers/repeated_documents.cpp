#include "data/answers/repeated_documents.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

using Rows = std::vector<size_t>;

// The hashes of ids that are there more than once: of most files none.
std::unordered_set<size_t> repeated_ids(std::span<const Answer> answers) {
  std::vector<size_t> hashes;
  hashes.reserve(answers.size());
  for (const Answer& answer : answers) hashes.push_back(std::hash<std::string_view>()(answer.id));
  std::ranges::sort(hashes);
  std::unordered_set<size_t> repeated;
  for (size_t i = 1; i < hashes.size(); ++i) {
    if (hashes[i] == hashes[i - 1]) repeated.insert(hashes[i]);
  }
  return repeated;
}

// What makes the document of an id another one.
std::string texts_of(const Answer& answer) {
  std::string texts = answer.passage + '\0' + answer.question;
  for (const std::string& reference : answer.references) texts += '\0' + reference;
  return texts;
}

std::string value_of(const Answer& answer, const Json& row, const std::string& field) {
  if (field == "constituent") return answer.constituent;
  if (field == "source") return answer.source;
  const FieldValue value = find_field(row, field);
  if (value == nullptr || value->is_null()) return "";
  return value->is_string() ? value->string() : value->dump();
}

// Fields that tell the rows of a document apart: those from kSystem on, whatever the ids are.
constexpr const char* kFields[] = {"constituent",
                                   "source",
                                   "filter",
                                   "task",
                                   "system",
                                   "model",
                                   "provider.id",
                                   "provider",
                                   "run",
                                   "epoch",
                                   "train_trial_index",
                                   "seed",
                                   "temperature"};
constexpr size_t kSystem = 4;

// The field that has another value in each row of a document, and its values.
struct DistinguishingField {
  std::string name;
  std::set<std::string> values;
};

std::optional<DistinguishingField> distinguishing_field(std::span<const Answer> answers,
                                                        std::span<const Json> rows,
                                                        const std::vector<Rows>& documents,
                                                        std::span<const char* const> names) {
  for (const char* const name : names) {
    DistinguishingField field{name, {}};
    const bool differs = std::ranges::all_of(documents, [&](const Rows& of) {
      std::set<std::string> values;
      for (const size_t row : of) values.insert(value_of(answers[row], rows[row], name));
      field.values.insert(values.begin(), values.end());
      return values.size() == of.size();
    });
    if (differs) return field;
  }
  return std::nullopt;
}

std::string repeated_text(std::span<const Answer> answers, const std::vector<Rows>& documents,
                          const std::optional<DistinguishingField>& field) {
  size_t count = 0;
  std::vector<std::string> ids;
  for (const Rows& of : documents) {
    count += of.size();
    ids.push_back(json_quote(answers[of.front()].id));
  }
  const std::string start = counted(static_cast<int64_t>(count), "row") + " are of " +
                            counted(std::ssize(documents), "document") + ", ";
  if (!field) {
    return start + "with the same id, question and references: " + join_some(ids) +
           ". Means are over all rows, and count such a document several times: keep one row of "
           "each, or average its rows first";
  }
  std::vector<std::string> values;
  for (const std::string& value : field->values) values.push_back(json_quote(value));
  return start + "with a row for each " + field->name + " (" + join_some(values) +
         "). Means are over all rows: " +
         (field->name == "constituent"
              ? "--constituent names the ones to score"
              : "`rubric compare --system " + field->name + "` gives the mean of each");
}

// Rows with other ids, or none, that have the same texts but are of several systems.
std::string systems_text(std::span<const Answer> answers, std::span<const Json> rows) {
  std::vector<const char*> fields;
  for (const char* const name : std::span(kFields).subspan(kSystem)) {
    if (!rows.empty() && find_field(rows.front(), name) != nullptr) fields.push_back(name);
  }
  if (fields.empty()) return "";
  std::map<std::string, Rows> by_texts;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].question.empty()) by_texts[texts_of(answers[i])].push_back(i);
  }
  std::vector<Rows> repeated;
  for (auto& [texts, of] : by_texts) {
    if (of.size() > 1) repeated.push_back(std::move(of));
  }
  if (repeated.empty()) return "";
  const auto field = distinguishing_field(answers, rows, repeated, fields);
  return field ? repeated_text(answers, repeated, field) : "";
}

}  // namespace

RepeatedDocuments repeated_documents(std::span<const Answer> answers, std::span<const Json> rows) {
  const std::unordered_set<size_t> ids = repeated_ids(answers);
  if (ids.empty()) return {systems_text(answers, rows), ""};
  std::map<std::string_view, std::map<std::string, Rows>> by_id;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!ids.contains(std::hash<std::string_view>()(answers[i].id))) continue;
    by_id[answers[i].id][texts_of(answers[i])].push_back(i);
  }
  std::vector<Rows> repeated;
  std::vector<std::string> shared;
  for (const auto& [id, documents] : by_id) {
    if (documents.size() > 1) shared.push_back(json_quote(id));
    for (const auto& [texts, of] : documents) {
      if (of.size() > 1) repeated.push_back(of);
    }
  }
  std::ranges::sort(repeated, {}, [](const Rows& of) { return of.front(); });
  RepeatedDocuments result;
  if (!repeated.empty()) {
    result.repeated =
        repeated_text(answers, repeated, distinguishing_field(answers, rows, repeated, kFields));
  }
  if (shared.empty()) return result;
  result.tasks = counted(std::ssize(shared), "id is that", "ids are those") +
                 " of several documents, with other questions or references, as in samples of "
                 "several tasks: " +
                 join_some(shared) + ". Means are over all of them";
  return result;
}

}  // namespace rubric::data
