#include "data/vacuous_rationales/labelled_input.h"

#include "core/error.h"
#include "data/rows/row_fields.h"

namespace rubric {

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

}  // namespace rubric
