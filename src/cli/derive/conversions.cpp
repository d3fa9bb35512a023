// rubric derive conversions: the input rows of a model that converts questions to REV's vacuous
// rationales.
#include "cli/derive/conversions.h"

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/rows/rows.h"
#include "data/vacuous_rationales/vacuous_rationales.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax conversions_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric derive conversions --input FILE --output FILE\n\n"
      "Writes the question and the label of each rationale row, each pair once, as\n"
      "\"question_text\" and \"answer_text\": what a converter makes statements of, which\n"
      "`derive vacuous-rationales --statements` reads.";
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
