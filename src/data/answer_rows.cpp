#include "data/answer_rows.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "data/evouna.h"
#include "data/mocha.h"
#include "data/rows.h"
#include "data/stsb.h"

namespace rubric {
namespace {

std::string field_name(const FieldNames& names, const std::string& ours) {
  const auto found = names.find(ours);
  return found == names.end() ? ours : found->second;
}

void require_field(const Json& row, const FieldNames& names, const std::string& ours,
                   const std::string& where) {
  const std::string theirs = field_name(names, ours);
  if (row.find(theirs) != nullptr) return;
  std::vector<std::string> known, quoted;
  for (const auto& [name, value] : row.object()) {
    known.push_back(name);
    quoted.push_back(json_quote(name));
  }
  const std::string nearest = nearest_name(theirs, known);
  throw InputError("the field " + json_quote(theirs) + " is missing", where,
                   "name what holds it, --field " + ours + "=" + (nearest.empty() ? "…" : nearest) +
                       ", among the row's fields (of a table: the names in its first line): " +
                       join_some(quoted));
}

std::string optional_text(const Json& row, const std::string& name, const std::string& where) {
  const Json* value = row.find(name);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_number()) return value->number_text();
  if (!value->is_string()) {
    throw InputError("the field \"" + name + "\" must be a string, it is " + value->kind(), where);
  }
  return value->string();
}

// A string, or a list of strings that is not empty.
std::vector<std::string> references_of(const Json& row, const std::string& name,
                                       const std::string& where) {
  const Json& value = row.require(name, where);
  if (value.is_string()) return {value.string()};
  std::vector<std::string> references;
  if (value.is_array()) {
    for (const Json& reference : value.array()) {
      if (reference.is_string()) references.push_back(reference.string());
    }
  }
  if (references.empty() || references.size() != value.array().size()) {
    throw InputError("the field \"" + name + "\" must be a string or a list of strings", where);
  }
  return references;
}

}  // namespace

Answer row_answer(const Json& row, const FieldNames& names, int64_t number,
                  const std::string& where) {
  for (const char* ours : {"reference", "candidate"}) require_field(row, names, ours, where);
  for (const auto& [ours, theirs] : names)
    require_field(row, names, ours, where);  // no typo passes
  const auto text = [&](const char* ours) {
    return optional_text(row, field_name(names, ours), where);
  };
  Answer answer;
  answer.id = text("id");
  if (answer.id.empty()) answer.id = std::to_string(number);
  answer.constituent = text("constituent");
  answer.source = text("source");
  answer.passage = text("passage");
  answer.question = text("question");
  answer.references = references_of(row, field_name(names, "reference"), where);
  answer.candidate = row.require_string(field_name(names, "candidate"), where);
  return answer;
}

std::optional<double> row_label(const Json& row, const FieldNames& names,
                                const std::string& where) {
  const std::string name = field_name(names, "score");
  const Json* found = row.find(name);
  if (found == nullptr || found->is_null()) return std::nullopt;
  const bool has_text = found->is_string() || found->is_number();
  const std::string text = has_text ? optional_text(row, name, where) : "";
  if (has_text && text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (has_text && problem == std::errc() && end == text.data() + text.size() &&
      std::isfinite(value)) {
    return value;
  }
  throw InputError("the field " + json_quote(name) + " must be a number, it is " +
                       (has_text ? json_quote(text) : found->kind()),
                   where,
                   "give the human score as a number, or name its field with --field score=…");
}

Json answer_row(const Answer& answer) {
  Json row{Json::Object()};
  row["id"] = answer.id;
  for (const auto& [name, text] : {std::pair("constituent", &answer.constituent),
                                   {"source", &answer.source},
                                   {"passage", &answer.passage},
                                   {"question", &answer.question}}) {
    if (!text->empty()) row[name] = *text;
  }
  const std::vector<std::string>& references = answer.references;
  row["reference"] = references.size() == 1
                         ? Json(references.front())
                         : Json(Json::Array(references.begin(), references.end()));
  row["candidate"] = answer.candidate;
  if (answer.score) row["score"] = *answer.score;
  return row;
}

std::vector<Answer> read_answers(const std::filesystem::path& file, InputFormat format,
                                 const FieldNames& names) {
  check_field_names(format, names);
  if (format == InputFormat::mocha) return read_mocha(file);
  if (format == InputFormat::evouna) return read_evouna(file);
  if (format == InputFormat::stsb) return read_stsb(file);
  std::vector<Answer> answers;
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    answers.push_back(row_answer(row, names, std::ssize(answers) + 1, where));
    answers.back().score = row_label(row, names, where);
    return true;
  });
  if (answers.empty()) throw InputError("the file has no rows", file.string());
  return answers;
}

}  // namespace rubric
