#include <algorithm>
#include <cmath>
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

const Json* find_field(const Json& row, const std::string& name) {
  if (const Json* const member = row.find(name)) return member;
  const Json* found = &row;
  for (size_t begin = 0; found != nullptr && begin <= name.size();) {
    const size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (found->is_array()) {
      const std::optional<int64_t> index = parse_count(part);
      const bool is_in = index && *index < std::ssize(found->array());
      found = is_in ? &found->array()[static_cast<size_t>(*index)] : nullptr;
    } else {
      found = found->find(part);
    }
    begin = end + 1;
  }
  return found;
}

void require_field(const Json& row, const FieldNames& names, const std::string& ours,
                   const std::string& where) {
  const std::string theirs = field_name(names, ours);
  if (find_field(row, theirs) != nullptr) return;
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
  const Json* value = find_field(row, name);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_number()) return value->number_text();
  if (!value->is_string()) {
    throw InputError("the field \"" + name + "\" must be a string, it is " + value->kind(), where);
  }
  return value->string();
}

double require_computable(double value, const std::string& what, const std::string& where) {
  if (std::abs(value) < kLargestValue) return value;
  throw InputError(what + " is " + Json(value).dump() + ", too large to compute with", where,
                   "give values below 1e70; leave out a row whose value stands for a missing one");
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
                   "rename it: score adds to the object of this name");
}

void require_no_field(const Json& row, const std::string& name, const std::string& where) {
  if (row.find(name) == nullptr) return;
  throw InputError("the row has a field " + json_quote(name) + " already", where,
                   "take it out of the rows");
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
