// Manual pages, one for rubric and one for each command and part of one, from what --help prints.
#pragma once

#include <filesystem>

namespace rubric::cli {

// Writes rubric.1, rubric-score.1, rubric-evaluate-mocha.1 and so on into the folder, which is made
// where it is missing.
void write_man_pages(const std::filesystem::path& folder);

}  // namespace rubric::cli
