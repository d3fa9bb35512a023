// What a converter of questions and answers reads, and the statements that it wrote.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "data/vacuous_rationales/labelled_input.h"

namespace rubric {

// Question (or premise, a blank, hypothesis) and label.
using ConverterInput = std::pair<std::string, std::string>;
ConverterInput converter_input(const LabelledInput& input);

// JSON lines of question_text, answer_text and question_statement_text, in any order. Throws
// InputError for a missing or empty one, and for two statements of one input.
std::map<ConverterInput, std::string> read_statements(const std::filesystem::path& file);

}  // namespace rubric
