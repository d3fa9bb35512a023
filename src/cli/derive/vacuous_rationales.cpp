// rubric derive vacuous-rationales, conversions: REV's vacuous rationales of rationale rows, and
// the input of a model that converts questions to them.
#include "data/vacuous_rationales/vacuous_rationales.h"

#include "cli/derive/list.h"
#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/rows/rows.h"

namespace rubric::cli {

void derive_vacuous_rationales(const VacuousRationalesRequest& request, const Context& context) {
  const ContextScope scope(context);
  const data::VacuousCounts counts = data::add_vacuous_rationales(
      request.input, data::format_of_rows(request.row_format, request.input), request.statements,
      request.output);
  if (const auto by_answer = counts.by.find("answer"); by_answer != counts.by.end()) {
    log_warning(std::to_string(by_answer->second) + " of " + std::to_string(counts.rows) +
                " baselines are \"QUESTION The answer is LABEL.\"; the paper's are a converter's "
                "statements: convert what derive conversions writes, and give --statements");
  }
  log_info(std::to_string(counts.rows) + " rows in " + request.output.string());
  log_info(data::vacuous_signature(counts, request.statements));
}

void derive_conversions(const ConversionsRequest& request, const Context& context) {
  const ContextScope scope(context);
  const std::vector<Json> pairs =
      data::converter_rows(request.input, data::format_of_rows(request.row_format, request.input));
  data::write_rows(request.output, pairs);
  log_info(std::to_string(pairs.size()) + " questions with their answers in " +
           request.output.string());
}

}  // namespace rubric::cli
