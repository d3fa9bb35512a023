// rubric evaluate mocha: agreement of metrics' scores with MOCHA's human judgements.
#include "cli/evaluate/mocha.h"

#include <iostream>
#include <set>
#include <span>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "data/records.h"
#include "eval/mocha/output.h"
#include "eval/mocha/significance.h"
#include "eval/mocha/suite.h"
#include "eval/report/report.h"
#include "rubric/version.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax mocha_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate mocha --data FILE (--predictions FILE | --scores FILE) [options]\n\n"
      "Correlation of metrics with MOCHA's human judgements, per constituent, by source and on\n"
      "average, with 95% bootstrap intervals over instances, and accuracy on minimal pairs;\n"
      "tests between metrics (Williams, McNemar; Holm-corrected) and the annotators' agreement.\n"
      "A missing prediction counts as 0, on a minimal pair as wrong. --scores takes what\n"
      "`rubric score` writes: JSON lines with \"id\", \"constituent\" and \"scores\", or (named\n"
      "*.json) MOCHA's own nesting; or a table (*.csv, *.tsv) with id, constituent and a column\n"
      "for each metric.\n"
      "--pair-predictions holds the pairs of one metric: with several in --scores, name it.\n"
      "--format csv prints a value a row.";
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
      "evaluate only this constituent; may be repeated; all when left out")(
      "report", file(), "also write the tables as one HTML page")(
      "resampled", "with --format json: also the values of each resample");
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.inputs = {"data",          "predictions",      "scores",
                   "minimal-pairs", "pair-predictions", "pair-scores"};
  syntax.outputs = {"report"};
  syntax.prints_results = true;
  syntax.renamed = {{"metrics", "metric"}};
  return syntax;
}

namespace {

struct MochaRequest {
  eval::MochaFiles files;
  std::vector<std::string> metrics, constituents;  // empty: all
  stats::BootstrapOptions bootstrap;
  std::string report;   // a file to write; "": none
  std::string command;  // as given
  eval::OutputFormat format;
  bool resampled;
};

MochaRequest mocha_request(const OptionValues& values) {
  MochaRequest request;
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
  request.constituents = list_option(values, "constituent");
  request.bootstrap = bootstrap_options(values);
  request.report = output_option(values, "report");
  const eval::MochaFiles& files = request.files;
  check_replaces_none("report", request.report,
                      {files.data, files.predictions, files.scores, files.minimal_pairs,
                       files.pair_predictions, files.pair_scores});
  request.format = format_option(values);
  request.resampled = values.contains("resampled");
  if (request.resampled && request.format != eval::OutputFormat::json) {
    throw InputError("--resampled without --format json", "command line",
                     "add --format json: no other format has a place for them");
  }
  return request;
}

// The names as a set; throws unless each is in the data.
std::set<std::string> chosen_constituents(const std::vector<std::string>& names,
                                          std::span<const data::Answer> answers) {
  std::set<std::string> known;
  for (const data::Answer& answer : answers) known.insert(answer.constituent);
  for (const std::string& name : names) {
    if (!known.contains(name)) {
      throw unknown_name("constituent in the data", name, {known.begin(), known.end()});
    }
  }
  return {names.begin(), names.end()};
}

struct Evaluation {
  std::vector<data::Answer> answers;
  std::vector<eval::MochaPredictions> metrics;
  std::vector<eval::MochaResult> results;
  eval::MochaTests tests;
};

Evaluation evaluate_files(const MochaRequest& request) {
  Evaluation evaluation;
  evaluation.answers = eval::read_mocha_instances(request.files.data);
  const std::vector<data::Answer>& answers = evaluation.answers;
  std::vector<data::AnswerPair> pairs;
  if (!request.files.minimal_pairs.empty()) {
    pairs = eval::read_mocha_minimal_pairs(request.files.minimal_pairs);
  }
  const std::set<std::string> constituents = chosen_constituents(request.constituents, answers);
  const std::string signature = "|suite:mocha|" + eval::mocha_signature(request.files) +
                                "|resamples:" + std::to_string(request.bootstrap.resamples) +
                                "|seed:" + std::to_string(request.bootstrap.seed) +
                                "|rubric:" + version_with_build();
  evaluation.metrics = eval::read_metrics(request.files, request.metrics);
  for (const eval::MochaPredictions& metric : evaluation.metrics) {
    eval::MochaResult result =
        eval::evaluate_mocha(answers, pairs, metric, request.bootstrap, constituents);
    result.signature = metric.metric + signature;
    evaluation.results.push_back(std::move(result));
  }
  evaluation.tests = eval::test_mocha(answers, pairs, evaluation.metrics, constituents);
  if (!pairs.empty() && evaluation.results.front().pairs.empty()) {
    log_warning("no minimal pair belongs to the chosen constituents");
  }
  return evaluation;
}

std::vector<eval::Table> tables_of(const Evaluation& evaluation) {
  std::vector<eval::Table> tables = eval::mocha_tables(evaluation.results);
  for (eval::Table& table : eval::mocha_test_tables(evaluation.tests, evaluation.results)) {
    tables.push_back(std::move(table));
  }
  return tables;
}

void write_mocha_report(const MochaRequest& request, const Evaluation& evaluation) {
  eval::Report report{"MOCHA: agreement with human judgements",
                      {"Data: " + request.files.data},
                      tables_of(evaluation),
                      eval::mocha_plots(evaluation.results, evaluation.answers),
                      {},
                      request.command,
                      {"rubric " + version_with_build()},
                      eval::mocha_rows(evaluation.answers, evaluation.metrics)};
  for (const eval::MochaResult& result : evaluation.results) {
    report.signatures.push_back(result.signature);
  }
  write_file(request.report, eval::to_html(report));
}

void print_mocha(const Evaluation& evaluation, const MochaRequest& request) {
  if (request.format == eval::OutputFormat::json) {
    Json json = eval::to_json(evaluation.results, request.resampled);
    const Json tests = eval::to_json(evaluation.tests);
    for (const auto& [name, value] : tests.object()) json[name] = value;
    std::cout << json.dump(2) << "\n";
  } else if (request.format == eval::OutputFormat::csv) {
    eval::Table statistics = eval::mocha_value_table(evaluation.results);
    eval::add_test_values(evaluation.tests, statistics);
    // CSV has no place for notes.
    for (const eval::MochaResult& result : evaluation.results) {
      for (const std::string& note : eval::mocha_notes(result))
        log_info(result.metric + ": " + note);
    }
    std::cout << eval::print_table(statistics, request.format);
  } else {
    std::cout << eval::print_tables(tables_of(evaluation), request.format);
  }
}

}  // namespace

int run_evaluate_mocha(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(mocha_syntax(), arguments);
  if (!values) return kDone;
  MochaRequest request = mocha_request(*values);
  request.command = eval::shell_command("rubric evaluate mocha", arguments);
  const Evaluation evaluation = evaluate_files(request);
  for (const eval::MochaResult& result : evaluation.results) log_info(result.signature);
  if (!request.report.empty()) write_mocha_report(request, evaluation);
  print_mocha(evaluation, request);
  return kDone;
}

}  // namespace rubric::cli
