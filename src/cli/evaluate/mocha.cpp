// rubric evaluate mocha: agreement of metrics' scores with MOCHA's human judgements.
#include "cli/evaluate/mocha.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "eval/mocha/mocha.h"
#include "eval/report/report.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax mocha_syntax() {
  CommandSyntax syntax;
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()(
      "data", file()->required(),
      "instances with human scores, in MOCHA's format or as rows (.jsonl, .csv, .tsv) "
      "with constituent, id, reference, candidate and score")(
      "predictions", file(),
      "{constituent: {id: {\"pred_score\": x}}}, or rows with constituent, id and pred_score")(
      "scores", file(), "a file scored by `rubric score`")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "a metric of the scored file, or several: a,b; may be repeated; all when left out")(
      "minimal-pairs", file(),
      "minimal pairs, in MOCHA's format or as rows with candidate1, the better, and candidate2")(
      "pair-predictions", file(),
      "{constituent: {id: {\"pred_score1\": x, \"pred_score2\": y}}}, or rows with these")(
      "pair-scores", file(), "the pairs, scored: \"scores1\" and \"scores2\" for each")(
      "constituent", po::value<std::vector<std::string>>()->value_name("NAME"),
      "evaluate only this constituent, or several: a,b; may be repeated; all when left out")(
      "report", file(), "also write the tables as one HTML page")(
      "resampled", "with --format json: also the values of each resample");
  add_bootstrap_options(syntax);
  add_format_option(syntax, /*several=*/true);
  syntax.inputs = {"data",          "predictions",      "scores",
                   "minimal-pairs", "pair-predictions", "pair-scores"};
  syntax.outputs = {"report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

struct MochaCommand {
  eval::MochaRequest request;
  std::string report;
  Formats formats;
};

MochaCommand mocha_command(const OptionValues& values) {
  MochaCommand command;
  eval::MochaRequest& request = command.request;
  request.files = {file_option(values, "data"),
                   file_option(values, "predictions"),
                   file_option(values, "scores"),
                   file_option(values, "minimal-pairs"),
                   file_option(values, "pair-predictions"),
                   file_option(values, "pair-scores")};
  eval::check_files(request.files);
  request.metrics = names_option(values, "metric");
  require_distinct("metric", request.metrics);
  if (!request.files.predictions.empty() && !request.metrics.empty()) {
    throw InputError("a prediction file has no metrics to choose from", "command line",
                     "leave --metric out");
  }
  request.constituents = names_option(values, "constituent");
  request.bootstrap = bootstrap_options(values);
  command.report = output_option(values, "report");
  const eval::MochaFiles& files = request.files;
  check_replaces_none("report", command.report,
                      {files.data, files.predictions, files.scores, files.minimal_pairs,
                       files.pair_predictions, files.pair_scores});
  command.formats = formats_option(values);
  request.resampled = values.contains("resampled");
  if (request.resampled && std::ranges::count(command.formats, eval::OutputFormat::json) == 0) {
    throw InputError("--resampled without --format json", "command line",
                     "add --format json: no other format has a place for them");
  }
  return command;
}

}  // namespace

int run_evaluate_mocha(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(mocha_syntax(), arguments);
  if (!values) return kDone;
  const MochaCommand command = mocha_command(*values);
  write_result(eval::evaluate_mocha_files(command.request), "", command.report,
               eval::shell_command("rubric evaluate mocha", arguments), command.formats);
  return kDone;
}

}  // namespace rubric::cli
