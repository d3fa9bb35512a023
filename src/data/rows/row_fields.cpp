#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rows/rows.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

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
                   "rename what holds it or, where the command takes --field, name it: --field " +
                       ours + "=" + (nearest.empty() ? "…" : nearest) +
                       "; the row's fields (of a table: the names in its first line) are " +
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

std::string required_text(const Json& row, const std::string& field, const std::string& where,
                          const std::string& what_to_do) {
  std::string text = optional_text(row, field, where);
  if (!text::strip(text).empty()) return text;
  throw InputError("the field " + json_quote(field) + " is missing or empty", where, what_to_do);
}

std::string trimmed_text(const Json& row, const std::string& field, const std::string& where) {
  return std::string(trim(required_text(row, field, where, "give a text, or leave the row out")));
}

void check_scores_member(const Json& row, const std::string& member, const std::string& where) {
  const Json* value = row.find(member);
  if (value == nullptr || value->is_null() || value->is_object()) return;
  throw InputError("the field \"" + member + "\" must be an object, it is " + value->kind(), where,
                   "rename it: scores are added under this name");
}

void add_row_scores(Json& row, const std::string& member, const std::vector<std::string>& names,
                    const std::vector<double>& values) {
  Json& scores = row[member];
  if (!scores.is_object()) scores = Json(Json::Object());
  for (size_t i = 0; i < names.size(); ++i) scores[names[i]] = values[i];
}

Json other_scores(const Json& scores, const std::vector<std::string>& names) {
  Json::Object kept;
  for (const auto& [name, score] : scores.object()) {
    if (std::ranges::find(names, name) == names.end()) kept.emplace_back(name, score);
  }
  return kept;
}

}  // namespace rubric::data
