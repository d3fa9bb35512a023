#include "data/vacuous_rationales/converter_statements.h"

#include "core/error.h"
#include "data/rows/row_fields.h"
#include "data/rows/rows_part.h"

namespace rubric {

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
  visit_rows(file, InputFormat::jsonl, read_row);
  if (statements.empty()) throw InputError("the file has no statements", file.string());
  return statements;
}

}  // namespace rubric
