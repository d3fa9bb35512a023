// rubric compare A B [C…] --metric M[,N…]: whether systems differ, each in its own scored file or
// named by a field of the rows.
#include "rubric/compare.h"

#include "cli/list.h"
#include "cli/shared/options.h"
#include "core/context.h"
#include "core/error.h"
#include "eval/report/report.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax compare_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric compare FILE FILE [FILE…] --metric NAME[,NAME…] [options]\n"
      "       rubric compare FILE… --system FIELD --metric NAME[,NAME…] [options]\n\n"
      "Whether systems differ in the means of metrics over the same records. Each file holds one\n"
      "system's records as `rubric score` wrote them, or a table with a column for each metric; "
      "or\n"
      "--system names the field that tells the system of each row. Records are matched by id and\n"
      "constituent, or by passage and question where that matches more of them; where each file "
      "has\n"
      "one constituent, and another in each, by id alone. Without ids and questions they are "
      "matched\n"
      "by their numbers, unless a column has the same texts in another order. Several answers of "
      "one\n"
      "system to one question, with one id, are averaged.\n\n"
      "Prints means and differences with 95% bootstrap intervals; p of the paired bootstrap and "
      "of\n"
      "the paired permutation test, with Holm's correction over all systems, metrics and groups;\n"
      "wins, ties and losses; by --group too. Rows with the same passage and question are "
      "resampled\n"
      "and exchanged together. --report also shows the rows on which each two systems differ "
      "most,\n"
      "by the first metric. --format csv prints a measurement a row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto texts = [](const char* name) {
    return po::value<std::vector<std::string>>()->value_name(name);
  };
  syntax.options.add_options()("files", texts("FILE"), "scored files")(
      "metric", texts("NAME"), "the metrics, such as f1,em; may be repeated")(
      "system", text("FIELD"), "the field that names the system of a row; else each file is one")(
      "group", text("FIELD"),
      "a field to report by as well, such as constituent; tables show 50 groups")(
      "rows", po::value<int64_t>()->value_name("N"),
      "rows on which each two systems differ most; without it 10 in the report and in JSON, none "
      "in other output")("report", text("FILE"), "also write tables and pictures as one HTML page");
  add_input_format_option(syntax);
  add_field_option(syntax);
  add_missing_option(syntax);
  add_bootstrap_options(syntax, /*has_permutations=*/true);
  add_format_option(syntax);
  syntax.positional.add("files", -1);
  syntax.inputs = {"files"};
  syntax.outputs = {"report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

CompareRequest compare_request(const OptionValues& values) {
  CompareRequest request;
  const std::vector<std::string> files = list_option(values, "files");
  request.files = {files.begin(), files.end()};
  request.metrics = names_option(values, "metric");
  request.system = text_option(values, "system");
  request.group = text_option(values, "group");
  request.input_format = text_option(values, "input-format");
  request.delimiter = delimiter_option(values);
  request.fields = field_option(values);
  request.missing = missing_option(values);
  request.bootstrap = bootstrap_options(values);
  if (values.contains("rows")) request.rows = values["rows"].as<int64_t>();
  request.report = file_option(values, "report");
  return request;
}

}  // namespace

int run_compare(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(compare_syntax(), arguments);
  if (!values) return kDone;
  CompareRequest request = compare_request(*values);
  request.command = eval::shell_command("rubric compare", arguments);
  const OutputFormat format = format_option(*values);
  if (request.rows.value_or(0) > 0) require_place_for_records("--rows", {format}, request.report);
  const Result result = compare_systems(request, current_context());
  print_result(result, {format});
  return kDone;
}

}  // namespace rubric::cli
