#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "eval/mocha/mocha.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "eval/signature.h"

namespace rubric::eval {
namespace {

Layout constituent_layout(const std::string& title, const std::string& statistic,
                          const std::string& form = "") {
  return read_layout("mocha", "constituents",
                     {{"title", title}, {"statistic", statistic}, {"form", form}});
}

}  // namespace

Result mocha_result(std::span<const MochaResult> metrics, const std::vector<Measurement>& tests,
                    bool resampled) {
  Result result{.title = "MOCHA: agreement with human judgements",
                .tables = {constituent_layout("Pearson's r with human judgements", "pearson"),
                           constituent_layout("Accuracy on minimal pairs, in percent",
                                              "minimal_pair_accuracy", "percent1"),
                           constituent_layout("Spearman's rho", "spearman"),
                           constituent_layout("Kendall's tau-b", "kendall")}};
  for (const MochaResult& metric : metrics) {
    for (const Measurement& one : metric.measurements) {
      result.measurements.push_back(one);
      if (!resampled) result.measurements.back().resampled.clear();
    }
    for (const std::string& note : metric.notes) {
      result.notes.push_back(metric.metric + ": " + note);
    }
  }
  if (!metrics.front().with_sources.empty()) {
    Layout& by_source = result.tables.emplace_back(read_layout("mocha", "sources"));
    by_source.rows.front().only = metrics.front().with_sources;
  }
  Layout plotted = result.tables.front();
  plotted.title += ", 95% intervals";
  result.interval_plots = {{.layout = std::move(plotted), .axis = "Pearson's r"}};
  add_tests(tests, result);
  return result;
}

namespace {

std::vector<uint32_t> rows_of(std::span<const data::Answer> answers,
                              const std::string& constituent) {
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].constituent == constituent) rows.push_back(static_cast<uint32_t>(i));
  }
  return rows;
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

// The answers with their human and predicted scores.
Records answer_records(std::shared_ptr<const std::vector<data::Answer>> answers,
                       std::span<const MochaPredictions> metrics) {
  const std::vector<data::InstanceKey> keys = keys_of(*answers);
  Records records{
      .name = "answers",
      .columns = {"id", "constituent", "question", "reference", "candidate", "human score"},
      .size = keys.size()};
  std::vector<Given> given;
  for (const MochaPredictions& metric : metrics) {
    records.columns.push_back(metric.metric);
    given.push_back(data::match_predictions(keys, metric.answers, metric.metric).values);
  }
  const auto value = [](const std::optional<double>& score) {
    return score ? RecordValue(*score) : RecordValue();
  };
  records.row = [answers = std::move(answers), given = std::move(given), value](size_t row) {
    const data::Answer& answer = (*answers)[row];
    std::vector<RecordValue> cells = {answer.id,        answer.constituent,
                                      answer.question,  join(answer.references, " / "),
                                      answer.candidate, value(answer.score)};
    for (const Given& of_metric : given) cells.push_back(value(of_metric[row]));
    return cells;
  };
  return records;
}

}  // namespace

Result evaluate_mocha_files(const MochaRequest& request, const Context& context) {
  const ContextScope scope(context);
  const MochaFiles& files = request.files;
  check_files(files);
  if (!files.predictions.empty() && !request.metrics.empty()) {
    throw InputError("a prediction file has no metrics to choose from", "", "leave --metric out");
  }
  const auto kept =
      std::make_shared<const std::vector<data::Answer>>(read_mocha_instances(files.data));
  const std::vector<data::Answer>& answers = *kept;
  std::vector<data::AnswerPair> pairs;
  if (!files.minimal_pairs.empty()) pairs = read_mocha_minimal_pairs(files.minimal_pairs);
  const std::set<std::string> constituents = chosen_constituents(request.constituents, answers);
  const std::vector<MochaPredictions> metrics = read_metrics(files, request.metrics);
  std::vector<MochaResult> results;
  for (const MochaPredictions& metric : metrics) {
    results.push_back(evaluate_mocha(answers, pairs, metric, request.bootstrap, constituents));
  }
  const auto tests = test_mocha(answers, pairs, metrics, constituents);
  Result result = mocha_result(results, tests, request.resampled);
  if (!pairs.empty() && std::ranges::count(result.measurements, "minimal_pair_accuracy",
                                           &Measurement::statistic) == 0) {
    result.notes.emplace_back("no minimal pair belongs to the chosen constituents");
  }
  result.interval_plots.front().rows = [kept](const Keys& keys) {
    return rows_of(*kept, keys.group);
  };
  result.points = answer_records(kept, metrics);
  std::vector<std::string> names;
  for (const MochaPredictions& metric : metrics) names.push_back(metric.metric);
  result.signature = Signature("mocha")
                         .texts("metric", names)
                         .file("data", files.data)
                         .file("predictions", files.predictions)
                         .file("scores", files.scores)
                         .file("minimal-pairs", files.minimal_pairs)
                         .file("pair-predictions", files.pair_predictions)
                         .file("pair-scores", files.pair_scores)
                         .end(request.bootstrap);
  result.inputs = {files.data,          files.predictions,      files.scores,
                   files.minimal_pairs, files.pair_predictions, files.pair_scores};
  std::erase(result.inputs, "");
  return result;
}

}  // namespace rubric::eval
