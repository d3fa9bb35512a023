#include "data/rows/row_scores.h"

#include <algorithm>

#include "core/error.h"

namespace rubric {

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

}  // namespace rubric
