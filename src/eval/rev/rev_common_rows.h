// The rows that files of rationales have in common, where some lack rows of others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "data/rationales/scored_rationales.h"

namespace rubric {

// Takes out of each file's rows those that lack what others of the file have (take_out_gaps), then
// those whose id is not left in all files. By file: the ids taken out. Throws InputError where
// nothing is left.
std::vector<std::set<std::string>> keep_common_rows(
    std::vector<std::vector<ScoredRationale>>& files);

}  // namespace rubric
