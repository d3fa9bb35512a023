// Rationale rows as what their vacuous rationales are made from, and the published files of those.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "core/json.h"

namespace rubric {

// Which label is given to what.
struct LabelledInput {
  std::string question;             // of question answering
  std::string premise, hypothesis;  // of natural language inference, where the question is ""
  std::string label;
};

// Of a row's `question`, or `premise` and `hypothesis`, and `label`, without the blanks around
// them. Throws InputError for a missing or empty one, and for a row with both kinds.
LabelledInput labelled_input(const Json& row, const std::string& where);

// Question (or premise, a blank, hypothesis) and label: what a converter reads.
using ConverterInput = std::pair<std::string, std::string>;
ConverterInput converter_input(const LabelledInput& input);

// What a converter wrote: JSON lines of question_text, answer_text and question_statement_text, in
// any order. Throws InputError for a missing or empty one, and for two statements of one input.
std::map<ConverterInput, std::string> read_statements(const std::filesystem::path& file);

}  // namespace rubric
