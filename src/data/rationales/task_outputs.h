// Ids of rationale rows by what they ask, for outputs that were published without them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"

namespace rubric {

// A question and its choices, or premise and hypothesis, without the blanks around them; and the
// ids of the rows that ask it, most often one.
using AskedIds = std::map<std::vector<std::string>, std::vector<std::string>>;

// Of a file of rationale rows. Throws InputError as read_rationales() does.
AskedIds read_asked_ids(const std::filesystem::path& file);

// Of the row that asks the same as `row`; "" where there is none. Throws InputError for several.
std::string asked_id(const AskedIds& ids, const Json& row, const std::string& where);

}  // namespace rubric
