// rubric estimate --all FILE --labels FILE --human FIELD: how good systems are, from the scores of
// all answers and the human labels of a few.
#include "cli/estimate/estimate.h"

#include <iostream>

#include "cli/shared/options.h"
#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "eval/report/report.h"
#include "rubric/estimate.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax estimate_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric estimate --all FILE --labels FILE --human FIELD [options]\n"
      "       rubric estimate --all FILE --human FIELD [options]\n\n"
      "How good systems are: the mean human label of these answers, where all have scores of "
      "metrics\n"
      "and a few have a label (prediction-powered inference). --all holds the answers as `rubric "
      "score`\n"
      "wrote them, or a table with a column for each metric; --labels the labels, by id and, "
      "where\n"
      "both files have them, constituent, system and group. Without it the labels are in --all.\n\n"
      "Prints the mean of each system from labels alone, from each metric alone, which is biased,\n"
      "and from labels with the metric; all differences; and how the metric correlates with the\n"
      "label; each with a 95% interval, and with how many labels the metric is worth. Labelled\n"
      "answers must have been drawn at random: alike, alike within --strata, or each with its\n"
      "--probability. --format csv prints a value a row.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("all", text("FILE"), "the scored rows of all answers")(
      "labels", text("FILE"), "rows with id and label; without it these are in --all")(
      "human", text("FIELD")->default_value("score"), "the field of the human label")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "the metrics, such as lerc,f1; may be repeated; without it all")(
      "system", text("FIELD"), "the field that names the system of a row; else all are of one")(
      "group", text("FIELD"), "a field to report by as well, such as constituent")(
      "probability", text("FIELD"),
      "the field of the probability with which a labelled answer was drawn")(
      "strata", text("FIELD"), "the field of --all within whose values labels were drawn alike")(
      "scale", text("LOW:HIGH"), "what a label can be, such as 1:5; others are refused")(
      "average", "several labels of one answer are averaged; without it they are refused")(
      "report", text("FILE"), "also write tables and pictures as one HTML page");
  add_input_format_option(syntax);
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.inputs = {"all", "labels"};
  syntax.outputs = {"report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

std::optional<Interval> label_scale(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const size_t colon = text.find(':');
  const std::optional<double> low = parse_number(text.substr(0, colon));
  const std::optional<double> high =
      colon == std::string::npos ? std::nullopt : parse_number(text.substr(colon + 1));
  if (low && high) return Interval{*low, *high};
  throw InputError("expected LOW:HIGH", "--scale " + text, "for example --scale 1:5");
}

EstimateRequest estimate_request(const OptionValues& values) {
  EstimateRequest request;
  request.all = file_option(values, "all");
  request.labels = file_option(values, "labels");
  request.human = text_option(values, "human");
  request.metrics = names_option(values, "metric");
  request.system = text_option(values, "system");
  request.group = text_option(values, "group");
  request.probability = text_option(values, "probability");
  request.strata = text_option(values, "strata");
  request.scale = label_scale(text_option(values, "scale"));
  request.average = values.contains("average");
  request.input_format = text_option(values, "input-format");
  request.delimiter = delimiter_option(values);
  request.bootstrap = bootstrap_options(values);
  request.report = file_option(values, "report");
  return request;
}

}  // namespace

int run_estimate(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(estimate_syntax(), arguments);
  if (!values) return kDone;
  EstimateRequest request = estimate_request(*values);
  request.command = eval::shell_command("rubric estimate", arguments);
  const OutputFormat format = format_option(*values);
  const EstimateResult result = estimate(request, current_context());
  log_info(result.signature);
  if (format == OutputFormat::csv) {  // which has no place for notes
    for (const std::string& note : result.notes) log_info(note);
  }
  std::cout << print(result, format);
  return kDone;
}

}  // namespace rubric::cli
