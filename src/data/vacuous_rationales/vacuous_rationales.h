// Makes vacuous rationales, statements that restate the input and the label, for a row or a file of
// rows. REV (Chen et al. 2022, section 2) has them for question answering from a T5-3B converter
// (Chen et al. 2021), which `generate` runs; its statements are read here. Without it the label
// stands in the question's blank or behind the question.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// The answer in the question's blank of underscores: "He opened a ___." If there is none, "QUESTION
// The answer is ANSWER."
struct VacuousQuestion {
  std::string text;
  bool is_filled = false;
};
VacuousQuestion vacuous_question(std::string_view question, std::string_view answer);

// The vacuous rationale of natural language inference: "PREMISE implies | contradicts | is not
// related to HYPOTHESIS." for the labels entailment, contradiction and neutral (REV, Chen et al.
// 2022, section 2 and Table 2), the premise without its end mark, the hypothesis with a lower-case
// first letter. A first word that is "I", has more capitals, or occurs capitalised inside premise
// or hypothesis (a name) keeps its capital. Throws InputError with `where` for another label, and
// for a premise or hypothesis without a word.
std::string vacuous_inference(std::string_view premise, std::string_view hypothesis,
                              std::string_view label, const std::string& where);

// The input and label from which the vacuous rationale of a row is made.
struct LabelledInput {
  std::string question;             // for question answering
  std::string premise, hypothesis;  // for natural language inference; then the question is ""
  std::string label;
};

// Reads a row's `question` (or `premise` and `hypothesis`) and `label`, trimmed. Throws InputError
// for a missing or empty field, and for a row with both kinds.
LabelledInput labelled_input(const Json& row, const std::string& where);

// The input of a converter: the question (or premise, a space, hypothesis) and the label.
using ConverterInput = std::pair<std::string, std::string>;
ConverterInput converter_input(const LabelledInput& input);

// Reads the statements of a converter: JSON lines with question_text, answer_text and
// question_statement_text, in any order. Throws InputError for a missing or empty field, and for
// two statements of one input.
std::map<ConverterInput, std::string> read_statements(const std::filesystem::path& file);

// How the vacuous rationales of a file were made.
struct VacuousCounts {
  int64_t rows = 0;
  std::map<std::string, int64_t> by;  // "template", "statements", "blank", "answer"
};

// Writes the rows of `input` to `output`, JSON lines that appear whole or not at all, each with its
// vacuous rationale as "baseline" and how it was made as "baseline_by": "blank" or "answer" of a
// question, "template" of a premise and a hypothesis, or "statements", which a converter wrote into
// that file ("": none). Throws InputError as visit_rows() and read_statements() do, for rows
// without a statement, and for a row that has another baseline.
VacuousCounts add_vacuous_rationales(const std::filesystem::path& input, InputFormat format,
                                     const std::filesystem::path& statements,
                                     const std::filesystem::path& output);

// "baselines|blank:3|answer:1|rubric:…"
std::string vacuous_signature(const VacuousCounts& counts, const std::filesystem::path& statements);

// Each question with its label once, as {"question_text", "answer_text"}, for a converter. Throws
// InputError for a row of a premise and a hypothesis, and for a file without rows.
std::vector<Json> converter_rows(const std::filesystem::path& input, InputFormat format);

}  // namespace rubric::data
