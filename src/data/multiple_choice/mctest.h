// MCTest (Richardson et al. 2013): stories with four questions of four options each, and beside
// NAME.tsv the letters of the right ones in NAME.ans.
#pragma once

#include "data/multiple_choice/readers.h"

namespace rubric {

std::filesystem::path mctest_answers(const std::filesystem::path& tsv);  // NAME.ans

// A line is tab-separated: id, properties, story, four times a question and its four options; the
// line of the answers four letters from A to D. The markup \newline and \tab becomes a blank, the
// questions' "one: " and "multiple: " (how many sentences they need) is cut. Throws InputError
// naming file and line.
ChoiceSet read_mctest(const std::filesystem::path& tsv);

}  // namespace rubric
