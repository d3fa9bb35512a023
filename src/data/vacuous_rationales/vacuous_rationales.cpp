#include "data/vacuous_rationales/vacuous_rationales.h"

#include <algorithm>

#include "core/error.h"
#include "data/rows/rows.h"
#include "data/vacuous_rationales/english.h"

namespace rubric::data {

namespace {

std::string relation_of(std::string_view label, const std::string& where) {
  if (label == "entailment") return " implies ";
  if (label == "contradiction") return " contradicts ";
  if (label == "neutral") return " is not related to ";
  throw InputError("the label \"" + std::string(label) + "\" is none of an inference", where,
                   "write entailment, neutral or contradiction");
}

Words statement_words(std::string_view text, const char* field, const std::string& where) {
  Words words = without_end_mark(split_words(text));
  if (words.empty()) throw InputError("the " + std::string(field) + " has no word", where);
  return words;
}

// Whether the word occurs in this form after the first word of a text.
bool is_inside(const Word& word, const Words& words) {
  return std::any_of(words.begin() + 1, words.end(), [&](const Word& other) {
    return other.form == word.form && other.text.starts_with(word.text[0]);
  });
}

bool keeps_capital(const Word& word, const Words& premise, const Words& hypothesis) {
  if (word.form == "i" || word.form.starts_with("i'")) return true;
  if (std::any_of(word.text.begin() + 1, word.text.end(),
                  [](char c) { return c >= 'A' && c <= 'Z'; })) {
    return true;
  }
  return is_inside(word, premise) || is_inside(word, hypothesis);
}

}  // namespace

std::string vacuous_inference(std::string_view premise, std::string_view hypothesis,
                              std::string_view label, const std::string& where) {
  const std::string relation = relation_of(label, where);
  const Words before = statement_words(premise, "premise", where);
  const Words after = statement_words(hypothesis, "hypothesis", where);
  const std::string text = to_text(after);
  return to_text(before) + relation +
         (keeps_capital(after[0], before, after) ? text : uncapitalized(text)) + ".";
}

LabelledInput labelled_input(const Json& row, const std::string& where) {
  LabelledInput input;
  const bool is_inference = row.find("premise") != nullptr || row.find("hypothesis") != nullptr;
  if (is_inference == (row.find("question") != nullptr)) {
    throw InputError(is_inference ? "the row has a question beside premise and hypothesis"
                                  : "the row has neither a question nor premise and hypothesis",
                     where, "give \"question\", or else \"premise\" and \"hypothesis\"");
  }
  if (is_inference) {
    input.premise = trimmed_text(row, "premise", where);
    input.hypothesis = trimmed_text(row, "hypothesis", where);
  } else {
    input.question = trimmed_text(row, "question", where);
  }
  input.label = trimmed_text(row, "label", where);
  return input;
}

ConverterInput converter_input(const LabelledInput& input) {
  return {input.question.empty() ? input.premise + " " + input.hypothesis : input.question,
          input.label};
}

std::map<ConverterInput, std::string> read_statements(const std::filesystem::path& file) {
  std::map<ConverterInput, std::string> statements;
  std::map<ConverterInput, std::string> places;
  const auto read_row = [&](const Json& row, const std::string& where) {
    const ConverterInput input = {trimmed_text(row, "question_text", where),
                                  trimmed_text(row, "answer_text", where)};
    const std::string statement = trimmed_text(row, "question_statement_text", where);
    const auto [known, is_new] = statements.emplace(input, statement);
    if (is_new) places.emplace(input, where);
    if (known->second == statement) return true;
    throw InputError("another statement for " + json_quote(input.first) + " and " +
                         json_quote(input.second) + " than at " + places[input],
                     where, "keep one of the two");
  };
  visit_rows(file, InputFormat::kJsonl, read_row);
  if (statements.empty()) throw InputError("the file has no statements", file.string());
  return statements;
}

}  // namespace rubric::data
