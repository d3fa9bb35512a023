// RACE (Lai et al. 2017): a directory for each split with middle/ and high/, which hold one file
// for each article.
#pragma once

#include <filesystem>
#include <vector>

#include "data/multiple_choice/readers.h"

namespace rubric::data {

// The .txt and .json files of a directory and its subdirectories, by name. Ignores names that begin
// with a dot. Throws InputError for any other file, and when there is none.
std::vector<std::filesystem::path> race_files(const std::filesystem::path& folder);

// Each file is a JSON object {article, questions, options: four texts for each, answers: a letter
// for each}. Keeps the first two wrong options. Drops and counts questions without "?" (they have a
// blank to fill) or with fewer than two wrong options. Throws InputError naming file and question.
ChoiceSet read_race(const std::filesystem::path& folder);

inline constexpr ChoiceReader kRace = {
    .name = "race",
    .summary = "questions of English exams (Lai et al. 2017)",
    .files = "RACE: directories of articles, with middle/ and high/ below or one of them",
    .read = read_race,
    .files_of = race_files};

}  // namespace rubric::data
