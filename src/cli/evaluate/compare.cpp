// rubric compare A B [C…] --metric M: whether systems differ, each in its own scored file or named
// by a field of the rows.
#include "rubric/compare.h"

#include <iostream>

#include "cli/list.h"
#include "cli/shared/options.h"
#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax compare_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric compare FILE FILE [FILE…] --metric NAME [options]\n"
      "       rubric compare FILE… --system FIELD --metric NAME [options]\n\n"
      "Whether systems differ in the mean of one metric over the same records, matched by id (and\n"
      "constituent). Each file holds one system's records as `rubric score` wrote them, or a "
      "table\n"
      "with a column for the metric, and names the system; or --system names the field that tells\n"
      "which system a row is of (constituent, where a data set has systems in that place). Prints\n"
      "means, differences with 95% bootstrap intervals, and p of the paired bootstrap and the\n"
      "paired permutation test with Holm's correction, by --group too. Rows with the same\n"
      "passage and question are resampled and exchanged together. --format csv prints a value a\n"
      "row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("files", po::value<std::vector<std::string>>(), "scored files")(
      "metric", text("NAME")->required(), "the metric")(
      "system", text("FIELD"),
      "the field that names the system a row is of; else each file is one")(
      "group", text("FIELD"), "a field to report by as well, such as constituent");
  add_input_format_option(syntax);
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.positional.add("files", -1);
  syntax.inputs = {"files"};
  syntax.prints_results = true;
  return syntax;
}

int run_compare(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(compare_syntax(), arguments);
  if (!values) return kDone;
  const std::vector<std::string> files = list_option(*values, "files");
  const CompareRequest request{.files = {files.begin(), files.end()},
                               .metric = text_option(*values, "metric"),
                               .system = text_option(*values, "system"),
                               .group = text_option(*values, "group"),
                               .input_format = text_option(*values, "input-format"),
                               .delimiter = delimiter_option(*values),
                               .bootstrap = bootstrap_options(*values)};
  const OutputFormat format = format_option(*values);
  const SystemComparison comparison = compare_systems(request, current_context());
  log_info(comparison.signature);
  if (format == OutputFormat::csv && !comparison.note.empty()) log_info(comparison.note);
  std::cout << print(comparison, format);
  return kDone;
}

}  // namespace rubric::cli
