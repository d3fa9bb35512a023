// MCTest (Richardson et al. 2013): stories with four questions of four options each in NAME.tsv,
// and the letters of the correct options in NAME.ans.
#pragma once

#include <filesystem>
#include <vector>

#include "data/multiple_choice/readers.h"

namespace rubric::data {

// A line of NAME.tsv is tab-separated: id, properties, story, and four times a question and its
// four options; a line of NAME.ans holds four letters from A to D. Replaces the markup \newline and
// \tab by a space, and removes the "one: " and "multiple: " of questions (how many sentences they
// need). Throws InputError naming file and line.
ChoiceSet read_mctest(const std::filesystem::path& tsv);

// NAME.tsv and NAME.ans.
std::vector<std::filesystem::path> mctest_files(const std::filesystem::path& tsv);

inline constexpr ChoiceReader kMcTest = {
    .name = "mctest",
    .summary = "stories with four questions each (Richardson et al. 2013)",
    .files = "MCTest: .tsv files, each with its .ans beside it",
    .read = read_mctest,
    .files_of = mctest_files};

}  // namespace rubric::data
