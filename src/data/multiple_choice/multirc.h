// MultiRC (Khashabi et al. 2018): questions with any number of correct answers.
#pragma once

#include "data/multiple_choice/readers.h"

namespace rubric {

// The published JSON, {"data": [{"id", "paragraph": {"text", "questions": [{"question", "answers":
// [{"text", "isAnswer"}]}]}}]}. The text's markup, "<b>Sent 1: </b>…<br>", is stripped. Questions
// without both a correct and an incorrect answer are dropped and counted. Throws InputError naming
// file, paragraph, question and answer.
ChoiceSet read_multirc(const std::filesystem::path& json);

// "<b>Sent 1: </b>It rained.<br><b>Sent 2: </b>It stopped.<br>" → "It rained. It stopped."
std::string without_sentence_markup(const std::string& text);

}  // namespace rubric
