// rubric derive vacuous-rationales, conversions: REV's vacuous rationales of rationale rows, and
// the input of a model that converts questions to them.
#include "cli/derive/vacuous_rationales.h"

#include "cli/derive/conversions.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/rows/rows.h"
#include "data/vacuous_rationales/vacuous_rationales.h"

namespace rubric::cli {

namespace po = boost::program_options;

CommandSyntax vacuous_rationales_syntax() {
  CommandSyntax syntax;
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()("input,i", file()->required(), "rationale rows")(
      "statements", file(),
      "statements that a converter made from questions and answers, JSON lines")(
      "output,o", file()->required(), "the same rows with baselines, as JSON lines");
  add_input_format_option(syntax);
  syntax.inputs = {"input", "statements"};
  syntax.outputs = {"output"};
  return syntax;
}

int run_derive_vacuous_rationales(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(vacuous_rationales_syntax(), arguments);
  if (!values) return kDone;
  const std::string input = file_option(*values, "input");
  const std::string statements = file_option(*values, "statements");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {input, statements});
  check_json_lines_name(output);
  const data::VacuousCounts counts =
      data::add_vacuous_rationales(input, row_format_option(*values, input), statements, output);
  if (!counts.plain.empty()) {
    log_warning(std::to_string(counts.plain.size()) + " of " + std::to_string(counts.rows) +
                " questions fit no rule; their baselines are the question followed by the "
                "answer: " +
                join_some(counts.plain));
  }
  log_info(std::to_string(counts.rows) + " rows in " + output);
  log_info(data::vacuous_signature(counts, statements));
  return kDone;
}

CommandSyntax conversions_syntax() {
  CommandSyntax syntax;
  const auto file = [] { return po::value<std::string>()->value_name("FILE")->required(); };
  syntax.options.add_options()("input,i", file(), "rationale rows")("output,o", file(),
                                                                    "the pairs, as JSON lines");
  add_input_format_option(syntax);
  syntax.inputs = {"input"};
  syntax.outputs = {"output"};
  return syntax;
}

int run_derive_conversions(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(conversions_syntax(), arguments);
  if (!values) return kDone;
  const std::string input = file_option(*values, "input");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {input});
  check_json_lines_name(output);
  const std::vector<Json> pairs = data::converter_rows(input, row_format_option(*values, input));
  data::write_rows(output, pairs);
  log_info(std::to_string(pairs.size()) + " questions with their answers in " + output);
  return kDone;
}

}  // namespace rubric::cli
