// How many rows of a filled list of gaps are in each category.
#pragma once

#include <filesystem>

#include "eval/report/table.h"

namespace rubric {

// Of a list as `evaluate gaps` wrote it (JSONL, CSV or TSV) with "category" filled in: category,
// rows, percent, and by group where there are several; most first. Rows without a category are
// counted in a note. Throws InputError when none has one.
Table tally_categories(const std::filesystem::path& filled);

}  // namespace rubric
