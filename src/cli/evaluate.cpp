// rubric evaluate SUITE: compares metrics with human judgements.
#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/log.h"
#include "core/version.h"
#include "data/mocha.h"
#include "eval/mocha_suite.h"
#include "eval/report.h"

namespace rubric {
namespace {

namespace po = boost::program_options;
using MetricPredictions = std::map<std::string, Predictions>;

CommandSyntax mocha_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric evaluate mocha --data FILE (--predictions FILE | --scores FILE) [options]\n\n"
      "Correlation of metrics with MOCHA's human judgements, per constituent and on average, with\n"
      "95% bootstrap intervals, and accuracy on minimal pairs. A missing prediction counts as 0, "
      "on\n"
      "a minimal pair as wrong. --scores takes what `rubric score` writes: JSON lines with "
      "\"id\",\n"
      "\"constituent\" and \"scores\", or (named *.json) MOCHA's own nesting.";
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  const auto number = [](int64_t value) {
    return po::value<int64_t>()->default_value(value)->value_name("N");
  };
  syntax.options.add_options()("data", file()->required(),
                               "instances with human scores, in MOCHA's format")(
      "predictions", file(), "{constituent: {id: {\"pred_score\": x}}}")(
      "scores", file(), "a file scored by `rubric score`")(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME"),
      "a metric of the scored file; may be repeated; all when left out")(
      "minimal-pairs", file(), "minimal pairs, in MOCHA's format")(
      "pair-predictions", file(), "{constituent: {id: {\"pred_score1\": x, \"pred_score2\": y}}}")(
      "pair-scores", file(), "the pairs, scored: \"scores1\" and \"scores2\" for each")(
      "constituent", po::value<std::vector<std::string>>()->value_name("NAME"),
      "evaluate only this constituent; may be repeated; all when left out")(
      "report", file(), "also write the tables as one HTML page")(
      "resamples", number(1000), "bootstrap resamples")("seed", number(0), "seed of the bootstrap");
  add_format_option(syntax);
  return syntax;
}

// Whether a scored file has MOCHA's nesting, or a row a line. Its name is only a hint: rows scored
// into a file named .json are known by their first line, a whole object with its scores.
bool is_nested(const std::string& path, const std::string& field) {
  LineReader lines(path);
  std::string first;
  lines.next(first);
  try {
    return Json::parse(first, path).find(field) == nullptr && path.ends_with(".json");
  } catch (const InputError&) {
    return first == "{" || path.ends_with(".json");
  }
}

// A scored file's numbers by metric.
MetricPredictions read_scores(const std::string& path, const std::string& field) {
  MetricPredictions metrics;
  if (is_nested(path, field)) {
    metrics = read_mocha_scores(path, field);
  } else {
    LineReader reader(path);
    for (std::string line; reader.next(line);) {
      if (line.empty()) continue;
      const std::string where = reader.where();
      const Json row = Json::parse(line, where);
      const Json& id = row.require("id", where);
      const bool has_constituent = row.find("constituent") != nullptr;
      const InstanceKey key(has_constituent ? row.require_string("constituent", where) : "",
                            id.is_number() ? id.number_text() : row.require_string("id", where));
      add_scores(row.require(field, where), key, where, metrics);
    }
  }
  if (metrics.empty()) {
    throw InputError("the file holds no " + field, path, "score it first with `rubric score`");
  }
  return metrics;
}

void check_files(const OptionValues& values) {
  const auto given = [&](const char* name) { return values.contains(name); };
  const auto fail = [](const char* what, const char* what_to_do) {
    throw InputError(what, "command line", what_to_do);
  };
  if (given("predictions") == given("scores")) {
    fail("what to evaluate is not clear", "give either --predictions or --scores");
  }
  if (given("predictions") && given("metric")) {
    fail("a prediction file has no metrics to choose from", "leave --metric out");
  }
  const bool scored_pairs = given("pair-predictions") || given("pair-scores");
  if (given("minimal-pairs") != scored_pairs ||
      (given("pair-predictions") && given("pair-scores"))) {
    fail("minimal pairs need two files",
         "give --minimal-pairs with either --pair-predictions or --pair-scores");
  }
  if (scored_pairs && given("predictions") != given("pair-predictions")) {
    fail("the answers and the pairs must be scored in the same way",
         "give --predictions with --pair-predictions, or --scores with --pair-scores");
  }
}

// Every metric to evaluate, in the order asked for.
std::vector<MochaPredictions> read_metrics(const OptionValues& values) {
  if (values.contains("predictions")) {
    MochaPredictions metric{
        "prediction", read_mocha_predictions(file_option(values, "predictions"), "pred_score"),
        std::nullopt};
    const std::string pairs = file_option(values, "pair-predictions");
    if (values.contains("pair-predictions")) {
      metric.pairs = PairPredictions{read_mocha_predictions(pairs, "pred_score1"),
                                     read_mocha_predictions(pairs, "pred_score2")};
    }
    return {metric};
  }
  MetricPredictions scores = read_scores(file_option(values, "scores"), "scores"), better, worse;
  const std::string pairs = file_option(values, "pair-scores");
  if (values.contains("pair-scores")) {
    better = read_scores(pairs, "scores1");
    worse = read_scores(pairs, "scores2");
  }
  std::vector<std::string> names;
  for (const auto& [name, predictions] : scores) names.push_back(name);
  std::vector<std::string> chosen = names;
  if (values.contains("metric")) chosen = values["metric"].as<std::vector<std::string>>();
  std::vector<MochaPredictions> metrics;
  for (const std::string& name : chosen) {
    if (!scores.contains(name)) throw unknown_name("metric in the scored file", name, names);
    if (std::count(chosen.begin(), chosen.end(), name) > 1) {
      throw InputError("--metric " + name + " is given twice", "command line", "give it once");
    }
    metrics.push_back({name, scores[name], std::nullopt});
    if (better.contains(name)) metrics.back().pairs = PairPredictions{better[name], worse[name]};
  }
  return metrics;
}

// What all figures of this call depend on, but for the metric.
std::string common_signature(const OptionValues& values) {
  std::string signature = "|suite:mocha";
  for (const char* file :
       {"data", "predictions", "scores", "minimal-pairs", "pair-predictions", "pair-scores"}) {
    if (!values.contains(file)) continue;
    const std::string hash = sha256_file(file_option(values, file)).substr(0, 12);
    signature += "|" + std::string(file) + ":" + hash;
  }
  return signature + "|resamples:" + std::to_string(values["resamples"].as<int64_t>()) +
         "|seed:" + std::to_string(values["seed"].as<int64_t>()) + "|rubric:" + kVersion;
}

// The constituents asked for, all of them in the data; empty: all.
std::set<std::string> chosen_constituents(const OptionValues& values,
                                          std::span<const Answer> answers) {
  if (!values.contains("constituent")) return {};
  std::set<std::string> known;
  for (const Answer& answer : answers) known.insert(answer.constituent);
  const auto& names = values["constituent"].as<std::vector<std::string>>();
  for (const std::string& name : names) {
    if (!known.contains(name)) {
      throw unknown_name("constituent in the data", name, {known.begin(), known.end()});
    }
  }
  return {names.begin(), names.end()};
}

int run_mocha(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(mocha_syntax(), arguments);
  if (!values) return kDone;
  check_files(*values);
  const std::string report_file = output_option(*values, "report");
  const OutputFormat format = format_option(*values);
  const BootstrapOptions bootstrap{
      integer_option(*values, "resamples", 1, 1'000'000),
      static_cast<uint64_t>(integer_option(*values, "seed", 0, INT64_MAX))};
  const std::string data = file_option(*values, "data");
  const std::vector<Answer> answers = read_mocha(data);
  std::vector<AnswerPair> pairs;
  if (values->contains("minimal-pairs")) {
    pairs = read_minimal_pairs(file_option(*values, "minimal-pairs"));
  }

  const std::string signature = common_signature(*values);
  const std::set<std::string> chosen = chosen_constituents(*values, answers);
  std::vector<MochaResult> results;
  for (const MochaPredictions& metric : read_metrics(*values)) {
    results.push_back(evaluate_mocha(answers, pairs, metric, bootstrap, chosen));
    results.back().signature = metric.metric + signature;
    log_info(results.back().signature);
  }

  const Table table = mocha_table(results);
  if (format == OutputFormat::csv) {  // has no place for notes
    for (const std::string& note : table.notes) log_warning(note);
  }
  if (!report_file.empty()) {
    Report report{"MOCHA: agreement with human judgements", {"Data: " + data}, {table}, {}};
    for (const MochaResult& result : results) report.signatures.push_back(result.signature);
    write_file(report_file, to_html(report));
  }
  std::cout << (format == OutputFormat::json ? to_json(results).dump(2) + "\n"
                                             : print_table(table, format));
  return kDone;
}

struct Suite {
  const char* name;
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments);
};

// Every suite: a new one is a line here.
constexpr Suite kSuites[] = {
    {"mocha", "correlation with MOCHA's judgements of answers, accuracy on minimal pairs",
     run_mocha},
};

}  // namespace

int run_evaluate(const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const Suite& suite : kSuites) names.emplace_back(suite.name);
  if (arguments.empty()) {
    throw InputError("no suite is named", "rubric evaluate", "name one of " + join(names));
  }
  if (arguments[0] == "--help") {
    std::cout << "usage: rubric evaluate SUITE [options]; rubric evaluate SUITE --help explains "
                 "each\n\n";
    for (const Suite& suite : kSuites)
      std::cout << "  " << suite.name << "  " << suite.summary << "\n";
    return kDone;
  }
  for (const Suite& suite : kSuites) {
    if (arguments[0] == suite.name) return suite.run({arguments.begin() + 1, arguments.end()});
  }
  throw unknown_name("suite", arguments[0], names);
}

}  // namespace rubric
