#include "data/baseline_rows.h"

#include "core/error.h"
#include "core/text.h"
#include "data/rows.h"
#include "data/sentence_words.h"

namespace rubric {
namespace {

std::string require_text(const Json& row, const char* field, const std::string& where) {
  const std::string_view text = trim(row.require_string(field, where));
  if (split_words(text).empty()) {
    throw InputError("the field \"" + std::string(field) + "\" is empty", where);
  }
  return std::string(text);
}

}  // namespace

LabelledInput labelled_input(const Json& row, const std::string& where) {
  LabelledInput input;
  const bool is_inference = row.find("premise") != nullptr || row.find("hypothesis") != nullptr;
  if (is_inference == (row.find("question") != nullptr)) {
    throw InputError(is_inference ? "the row has a question beside premise and hypothesis"
                                  : "the row has neither a question nor premise and hypothesis",
                     where, "give \"question\", or else \"premise\" and \"hypothesis\"");
  }
  if (is_inference) {
    input.premise = require_text(row, "premise", where);
    input.hypothesis = require_text(row, "hypothesis", where);
  } else {
    input.question = require_text(row, "question", where);
  }
  input.label = require_text(row, "label", where);
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
    const ConverterInput input = {require_text(row, "question_text", where),
                                  require_text(row, "answer_text", where)};
    const std::string statement = require_text(row, "question_statement_text", where);
    const auto [known, is_new] = statements.emplace(input, statement);
    if (is_new) places.emplace(input, where);
    if (known->second == statement) return true;
    throw InputError("another statement for " + json_quote(input.first) + " and " +
                         json_quote(input.second) + " than at " + places[input],
                     where, "keep one of the two");
  };
  visit_rows(file, InputFormat::jsonl, read_row);
  if (statements.empty()) throw InputError("the file has no statements", file.string());
  return statements;
}

}  // namespace rubric
