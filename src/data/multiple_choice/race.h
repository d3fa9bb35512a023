// RACE (Lai et al. 2017): a folder for each split, in it middle/ and high/ with an article a file.
#pragma once

#include "data/multiple_choice/readers.h"

namespace rubric {

// Every .txt or .json in a folder and the folders below, by name; names that begin with a dot are
// not looked at, any other file is an InputError. Throws it too when there is none.
std::vector<std::filesystem::path> race_files(const std::filesystem::path& folder);

// A file is a JSON object {article, questions, options: four texts for each, answers: a letter for
// each}. Of the wrong options the first two are kept. Questions without "?" (they have a blank to
// fill) or with fewer wrong options are dropped and counted. Throws InputError naming file and
// question.
ChoiceSet read_race(const std::filesystem::path& folder);

}  // namespace rubric
