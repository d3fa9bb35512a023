// derive conversions: what a converter of questions makes REV's vacuous rationales from.
#include <set>

#include "cli/data/derive_kinds.h"
#include "core/system/log.h"
#include "data/vacuous_rationales/converter_statements.h"
#include "data/rows/rows_part.h"

namespace rubric {

void derive_conversions(const OptionValues& values, const std::string& output) {
  const std::string input = file_option(values, "input");
  check_json_lines_name(output);
  std::vector<Json> pairs;
  std::set<ConverterInput> known;
  const auto read_row = [&](const Json& row, const std::string& where) {
    const LabelledInput labelled = labelled_input(row, where);
    if (labelled.question.empty()) {
      throw InputError("the row has no question: it is of a premise and a hypothesis", where,
                       "derive baselines makes its baseline by a template");
    }
    const ConverterInput pair = converter_input(labelled);
    if (known.insert(pair).second) {
      pairs.emplace_back(Json::Object{{"question_text", pair.first}, {"answer_text", pair.second}});
    }
    return true;
  };
  visit_rows(input, row_format_option(values, input), read_row);
  if (pairs.empty()) throw InputError("the file has no rows", input);
  write_rows(output, pairs);
  log_info(std::to_string(pairs.size()) + " questions with their answers in " + output);
}

}  // namespace rubric
