#include "cli/estimate/labelled_options.h"

#include <optional>
#include <string>
#include <vector>

#include "cli/evaluate/suites.h"
#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rows/rows.h"

namespace rubric::cli {
namespace po = boost::program_options;

void add_labelled_options(CommandSyntax& syntax) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("all", text("FILE"), "the scored rows of all answers")(
      "labels", text("FILE"), "rows with id and label; without it the labels are in --all")(
      "human", text("FIELD")->default_value("score"), "the field of the human label")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "the metrics, such as lerc,f1; may be repeated; without it all")(
      "system", text("FIELD"), "the field that names the system of a row; else all are of one")(
      "probability", text("FIELD"),
      "the field of the probability with which a labelled answer was drawn; without it and "
      "--strata those of a sheet of choose are read")(
      "strata", text("FIELD"), "the field of strata: labels were drawn within each of its values")(
      "scale", text("LOW:HIGH"), "what a label can be, such as 1:5; others are refused")(
      "average", "several labels of one answer are averaged; without it they are refused")(
      "report", text("FILE"), "also write tables and pictures as one HTML page");
  add_ledger_options(syntax, /*is_required=*/false);
  add_parser_option(syntax);
  add_input_format_option(syntax);
  add_field_option(syntax);
  syntax.inputs = {"all", "labels", "ledger"};
  syntax.outputs = {"report"};
}

namespace {

std::optional<Interval> label_scale(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const size_t colon = text.find(':');
  const std::optional<double> low = parse_number(text.substr(0, colon));
  const std::optional<double> high =
      colon == std::string::npos ? std::nullopt : parse_number(text.substr(colon + 1));
  if (low && high) {
    return Interval{data::require_computable(*low, "the low end", "--scale " + text),
                    data::require_computable(*high, "the high end", "--scale " + text)};
  }
  throw InputError("expected LOW:HIGH", "--scale " + text, "for example --scale 1:5");
}

}  // namespace

EstimateRequest labelled_request(const OptionValues& values) {
  EstimateRequest request;
  request.all = file_option(values, "all");
  request.labels = file_option(values, "labels");
  request.human = text_option(values, "human");
  request.metrics = names_option(values, "metric");
  request.system = text_option(values, "system");
  request.probability = text_option(values, "probability");
  request.strata = text_option(values, "strata");
  request.scale = label_scale(text_option(values, "scale"));
  request.average = values.contains("average");
  request.input_format = text_option(values, "input-format");
  request.delimiter = delimiter_option(values);
  request.fields = field_option(values);
  request.report = file_option(values, "report");
  request.ledger = file_option(values, "ledger");
  request.judge = ledger_choice_option(values);
  return request;
}

}  // namespace rubric::cli
