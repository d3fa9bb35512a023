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
#include "core/field_text.h"
#include "core/files/embedded.h"
#include "core/system/process.h"
#include "data/answers/usual_names.h"
#include "data/rows/copied_rows.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

using Rows = std::vector<size_t>;

size_t hash_of_id(const Answer& answer) {
  return std::hash<std::string_view>()(answer.id);
}

size_t hash_of_texts(const Answer& answer) {
  const std::hash<std::string_view> hash;
  return hash(answer.candidate) + 31 * hash(answer.question);
}

// The hashes that several answers have: of most files none.
std::unordered_set<size_t> repeated_hashes(std::span<const Answer> answers,
                                           size_t (*hash_of)(const Answer&)) {
  std::vector<size_t> hashes;
  hashes.reserve(answers.size());
  for (const Answer& answer : answers) hashes.push_back(hash_of(answer));
  std::ranges::sort(hashes);
  std::unordered_set<size_t> repeated;
  for (size_t i = 1; i < hashes.size(); ++i) {
    if (hashes[i] == hashes[i - 1]) repeated.insert(hashes[i]);
  }
  return repeated;
}

// The rows that are equal to an earlier one in all fields.
std::set<size_t> copied_rows(std::span<const Answer> answers, std::span<const Json> rows) {
  const std::unordered_set<size_t> hashes = repeated_hashes(answers, hash_of_texts);
  CopiedRows known;
  std::set<size_t> copies;
  for (size_t i = 0; i < rows.size() && !hashes.empty(); ++i) {
    if (!hashes.contains(hash_of_texts(answers[i]))) continue;
    if (known.add(rows[i], "")) copies.insert(i);
  }
  return copies;
}

std::vector<std::string> row_numbers(const std::set<size_t>& rows) {
  std::vector<std::string> numbers;
  for (const size_t row : rows) numbers.push_back("row " + std::to_string(row + 1));
  return numbers;
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
  return value->is_string() ? std::string(plain_name(value->string())) : value->dump();
}

// Fields that tell the rows of a document apart: those from kSystem on, whatever the ids are.
const WordList kFields("data/answers/usual_names.tsv", "fields of runs");
constexpr size_t kSystem = 4;

// A field that has several values in each document, and its values.
struct DistinguishingField {
  std::string name;
  std::set<std::string> values;
  bool is_alone = true;  // another value in each row of a document
};

// nullopt: some document has but one value of the field or, for `is_alone`, one in two rows.
std::optional<DistinguishingField> field_with_values(std::span<const Answer> answers,
                                                     std::span<const Json> rows,
                                                     const std::vector<Rows>& documents,
                                                     const std::string& name, bool is_alone) {
  DistinguishingField field{name, {}, is_alone};
  for (const Rows& of : documents) {
    std::set<std::string> values;
    for (const size_t row : of) values.insert(value_of(answers[row], rows[row], name));
    if (values.size() < (is_alone ? of.size() : 2)) return std::nullopt;
    field.values.merge(values);
  }
  return field;
}

// The first of `names` that tells all rows of a document apart.
std::optional<DistinguishingField> distinguishing_field(std::span<const Answer> answers,
                                                        std::span<const Json> rows,
                                                        const std::vector<Rows>& documents,
                                                        std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (auto field = field_with_values(answers, rows, documents, name, true)) return field;
  }
  return std::nullopt;
}

// Other fields of texts whose values return from document to document, as names of systems do.
std::vector<std::string> other_fields(std::span<const Answer> answers, std::span<const Json> rows,
                                      const std::vector<Rows>& documents) {
  size_t count = 0;
  for (const Rows& of : documents) count += of.size();
  std::vector<std::string> names;
  for (const auto& [name, value] : rows[documents.front().front()].object()) {
    if (!value.is_string() || is_value(value) || is_text_field(name)) continue;
    std::set<std::string> values;
    for (const Rows& of : documents) {
      for (const size_t row : of) values.insert(value_of(answers[row], rows[row], name));
    }
    if (values.size() < count) names.push_back(name);
  }
  return names;
}

// The field that tells the rows of a document apart, else one that tells systems apart of which
// some have several rows.
std::optional<DistinguishingField> field_of_documents(std::span<const Answer> answers,
                                                      std::span<const Json> rows,
                                                      const std::vector<Rows>& documents) {
  if (auto field = distinguishing_field(answers, rows, documents, kFields.rows())) return field;
  const std::vector<std::string> others = other_fields(answers, rows, documents);
  for (const bool is_alone : {true, false}) {
    for (const std::string& name : others) {
      if (auto field = field_with_values(answers, rows, documents, name, is_alone)) return field;
    }
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
    return start + "with the same id" + own_field("id") + ", question" + own_field("question") +
           " and references" + own_field("reference") + ": " + join_some(ids) +
           ". Means are over all rows, and count such a document several times: keep one row of "
           "each, or average its rows first, as `rubric compare` does";
  }
  std::vector<std::string> values;
  for (const std::string& value : field->values) values.push_back(json_quote(value));
  return start + (field->is_alone ? "with a row for each " : "with rows for each ") + field->name +
         " (" + join_some(values) + "). Means are over all rows: " +
         (field->name == "constituent"
              ? "--constituent names the ones to score"
              : "`rubric compare --system " + shell_word(field->name) + "` gives the mean of each");
}

// Rows with other ids, or none, that have the same texts but are of several systems.
std::string systems_text(std::span<const Answer> answers, std::span<const Json> rows,
                         const std::set<size_t>& copies) {
  std::vector<std::string> fields;
  for (const std::string& name : std::span(kFields.rows()).subspan(kSystem)) {
    if (!rows.empty() && find_field(rows.front(), name) != nullptr) fields.push_back(name);
  }
  if (fields.empty()) return "";
  std::map<std::string, Rows> by_texts;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].question.empty() && !copies.contains(i))
      by_texts[texts_of(answers[i])].push_back(i);
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
  const std::set<size_t> copies = copied_rows(answers, rows);
  const std::unordered_set<size_t> ids = repeated_hashes(answers, hash_of_id);
  RepeatedDocuments result;
  result.copies = copies_text(row_numbers(copies), kMeansCountCopies);
  if (ids.empty()) result.repeated = systems_text(answers, rows, copies);
  std::map<std::string_view, std::map<std::string, Rows>> by_id;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (copies.contains(i) || !ids.contains(hash_of_id(answers[i]))) continue;
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
  if (!repeated.empty()) {
    result.repeated = repeated_text(answers, repeated, field_of_documents(answers, rows, repeated));
  }
  if (shared.empty()) return result;
  result.tasks = counted(std::ssize(shared), "id is that", "ids are those") +
                 " of several documents, with other questions or references, as in samples of "
                 "several tasks: " +
                 join_some(shared) + ". Means are over all of them";
  return result;
}

}  // namespace rubric::data
