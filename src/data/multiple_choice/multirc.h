// MultiRC (Khashabi et al. 2018): questions with any number of correct answers.
#pragma once

#include <filesystem>
#include <string>

#include "data/multiple_choice/readers.h"

namespace rubric::data {

// Reads the published JSON, {"data": [{"id", "paragraph": {"text", "questions": [{"question",
// "answers": [{"text", "isAnswer"}]}]}}]}. Removes the text's markup, "<b>Sent 1: </b>…<br>". Drops
// and counts questions without a correct or without an incorrect answer. Throws InputError naming
// file, paragraph, question and answer.
ChoiceSet read_multirc(const std::filesystem::path& json);

// "<b>Sent 1: </b>It rained.<br><b>Sent 2: </b>It stopped.<br>" → "It rained. It stopped."
std::string without_sentence_markup(const std::string& text);

inline constexpr ChoiceReader kMultiRc = {
    .name = "multirc",
    .summary = "questions with several correct answers (Khashabi et al. 2018)",
    .files = "MultiRC: .json files",
    .read = read_multirc};

}  // namespace rubric::data
