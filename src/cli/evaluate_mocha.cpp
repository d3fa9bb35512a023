// rubric evaluate mocha: files of scores in, agreement with MOCHA's human judgements out.
#include <iostream>
#include <set>
#include <span>

#include "cli/evaluate_suites.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/version.h"
#include "data/mocha.h"
#include "eval/mocha_files.h"
#include "eval/mocha_json.h"
#include "eval/mocha_suite.h"
#include "eval/mocha_tables.h"
#include "eval/report.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate mocha --data FILE (--predictions FILE | --scores FILE) [options]\n\n"
      "Correlation of metrics with MOCHA's human judgements, per constituent, by source and on\n"
      "average, with 95% bootstrap intervals, and accuracy on minimal pairs. A missing prediction\n"
      "counts as 0, on a minimal pair as wrong. --scores takes what `rubric score` writes: JSON\n"
      "lines with \"id\", \"constituent\" and \"scores\", or (named *.json) MOCHA's own nesting.\n"
      "--pair-predictions holds the pairs of one metric: with several in --scores, name it.\n"
      "--format csv prints a figure a row.";
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  const auto names = [] { return po::value<std::vector<std::string>>()->value_name("NAME"); };
  const auto number = [](int64_t value) {
    return po::value<int64_t>()->default_value(value)->value_name("N");
  };
  syntax.options.add_options()("data", file()->required(),
                               "instances with human scores, in MOCHA's format")(
      "predictions", file(), "{constituent: {id: {\"pred_score\": x}}}")(
      "scores", file(), "a file scored by `rubric score`")(
      "metric", names(), "metrics of the scored file, as a,b or repeated; all when left out")(
      "minimal-pairs", file(), "minimal pairs, in MOCHA's format")(
      "pair-predictions", file(), "{constituent: {id: {\"pred_score1\": x, \"pred_score2\": y}}}")(
      "pair-scores", file(), "the pairs, scored: \"scores1\" and \"scores2\" for each")(
      "constituent", names(), "evaluate only this constituent; may be repeated; all when left out")(
      "report", file(), "also write the tables as one HTML page")("resamples", number(1000),
                                                                  "bootstrap resamples")(
      "resampled", "with --format json: also the figures of each resample")(
      "seed", number(0), "seed of the bootstrap");
  add_format_option(syntax);
  return syntax;
}

struct Request {
  MochaFiles files;
  std::vector<std::string> metrics, constituents;  // empty: all
  BootstrapOptions bootstrap;
  std::string report;  // a file to write; "": none
  OutputFormat format;
  bool resampled;
};

Request request_of(const OptionValues& values) {
  Request request;
  request.files = {file_option(values, "data"),
                   file_option(values, "predictions"),
                   file_option(values, "scores"),
                   file_option(values, "minimal-pairs"),
                   file_option(values, "pair-predictions"),
                   file_option(values, "pair-scores")};
  check_files(request.files);
  for (const std::string& list : list_option(values, "metric")) {
    for (std::string& name : split_names(list)) request.metrics.push_back(std::move(name));
  }
  if (!request.files.predictions.empty() && !request.metrics.empty()) {
    throw InputError("a prediction file has no metrics to choose from", "command line",
                     "leave --metric out");
  }
  request.constituents = list_option(values, "constituent");
  request.bootstrap = {integer_option(values, "resamples", 1, 1'000'000),
                       static_cast<uint64_t>(integer_option(values, "seed", 0, INT64_MAX))};
  request.report = output_option(values, "report");
  const MochaFiles& files = request.files;
  check_replaces_none("report", request.report,
                      {files.data, files.predictions, files.scores, files.minimal_pairs,
                       files.pair_predictions, files.pair_scores});
  request.format = format_option(values);
  request.resampled = values.contains("resampled");
  if (request.resampled && request.format != OutputFormat::json) {
    throw InputError("--resampled without --format json", "command line",
                     "add --format json: no other format has a place for them");
  }
  return request;
}

// The names as a set, each of them in the data.
std::set<std::string> chosen_constituents(const std::vector<std::string>& names,
                                          std::span<const Answer> answers) {
  std::set<std::string> known;
  for (const Answer& answer : answers) known.insert(answer.constituent);
  for (const std::string& name : names) {
    if (!known.contains(name)) {
      throw unknown_name("constituent in the data", name, {known.begin(), known.end()});
    }
  }
  return {names.begin(), names.end()};
}

std::vector<MochaResult> evaluate(const Request& request) {
  const std::vector<Answer> answers = read_mocha(request.files.data);
  std::vector<AnswerPair> pairs;
  if (!request.files.minimal_pairs.empty()) {
    pairs = read_minimal_pairs(request.files.minimal_pairs);
  }
  const std::set<std::string> constituents = chosen_constituents(request.constituents, answers);
  const std::string signature = "|suite:mocha|" + signature_of(request.files) +
                                "|resamples:" + std::to_string(request.bootstrap.resamples) +
                                "|seed:" + std::to_string(request.bootstrap.seed) +
                                "|rubric:" + kVersion;
  std::vector<MochaResult> results;
  for (const MochaPredictions& metric : read_metrics(request.files, request.metrics)) {
    results.push_back(evaluate_mocha(answers, pairs, metric, request.bootstrap, constituents));
    results.back().signature = metric.metric + signature;
  }
  if (!pairs.empty() && results.front().pairs.empty()) {
    log_warning("no minimal pair belongs to the chosen constituents");
  }
  return results;
}

void write_report(const Request& request, std::span<const MochaResult> results) {
  Report report{"MOCHA: agreement with human judgements",
                {"Data: " + request.files.data},
                mocha_tables(results),
                {}};
  for (const MochaResult& result : results) report.signatures.push_back(result.signature);
  write_file(request.report, to_html(report));
}

void print(std::span<const MochaResult> results, OutputFormat format, bool resampled) {
  if (format == OutputFormat::json) {
    std::cout << to_json(results, resampled).dump(2) << "\n";
    return;
  }
  const std::vector<Table> tables = mocha_tables(results);
  if (format == OutputFormat::csv) {
    // Of the formats the one without a place for notes.
    for (const std::string& note : tables.front().notes) log_warning(note);
    std::cout << print_table(mocha_figures(results), format);
    return;
  }
  for (size_t i = 0; i < tables.size(); ++i) {
    std::cout << (i > 0 ? "\n" : "") << print_table(tables[i], format);
  }
}

}  // namespace

int run_evaluate_mocha(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  const Request request = request_of(*values);
  const std::vector<MochaResult> results = evaluate(request);
  for (const MochaResult& result : results) log_info(result.signature);
  if (!request.report.empty()) write_report(request, results);
  print(results, request.format, request.resampled);
  return kDone;
}

}  // namespace rubric
