// Scores of a row, beside its own fields.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"

namespace rubric {

// Throws InputError when the row has something else than scores under the name that they get.
void check_scores_member(const Json& row, const std::string& member, const std::string& where);

// Merges scores with those that `member` of the row holds already.
void add_row_scores(Json& row, const std::string& member, const std::vector<std::string>& names,
                    const std::vector<double>& values);

// The members of a "scores" object but for `names`.
Json other_scores(const Json& scores, const std::vector<std::string>& names);

}  // namespace rubric
