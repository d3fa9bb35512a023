#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "core/error.h"
#include "eval/mocha/mocha.h"
#include "eval/result/render.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace rubric::eval {
namespace {

using stats::Statistics;

// Each record is drawn by itself.
stats::Clusters apart(size_t records) {
  stats::Clusters clusters{std::vector<uint32_t>(records), records};
  std::iota(clusters.of.begin(), clusters.of.end(), 0U);
  return clusters;
}

Statistics resampled_pearson(const Series& series, const stats::BootstrapOptions& options,
                             uint64_t stream) {
  const std::array<std::span<const double>, 2> pair = {series.human, series.predicted};
  const stats::DistinctRecords records(pair);
  const stats::ResampledCorrelation correlation(records.values_of(series.human),
                                                records.values_of(series.predicted));
  return stats::resampled_statistics(
             apart(series.human.size()), options, stream, 1,
             [&](stats::Counts counts) {
               return Statistics{correlation.pearson(records.drawn(counts))};
             })
      .front();
}

void add_correlations(const Adder& add, const stats::Correlations& correlations,
                      const std::optional<stats::Interval>& interval,
                      const Statistics& resampled = {}) {
  add("pearson", correlations.pearson, interval).resampled = resampled;
  add("spearman", correlations.spearman);
  add("kendall", correlations.kendall);
}

// For each resample the mean of the constituents' values.
Statistics means_by_resample(const std::vector<Statistics>& resampled) {
  Statistics means;
  for (size_t i = 0; i < resampled.front().size(); ++i) {
    Statistics column;
    for (const Statistics& constituent : resampled) column.push_back(constituent[i]);
    means.push_back(mean_if_all(column));
  }
  return means;
}

// Missing predictions of some constituents.
struct MissingCounts {
  int64_t missing = 0, n = 0;
  std::vector<std::string> parts = {};

  void add(const std::string& constituent, int64_t missing_here, size_t records) {
    missing += missing_here;
    n += static_cast<int64_t>(records);
    if (missing_here > 0) parts.push_back(constituent + " " + std::to_string(missing_here));
  }
  // "3 of 120 predictions missing, counted as 0 (drop 2, quoref 1)"
  void note(const std::string& what, const std::string& counts_as,
            std::vector<std::string>& notes) const {
    if (missing == 0) return;
    notes.push_back(std::to_string(missing) + " of " + std::to_string(n) + " " + what +
                    " missing, counted as " + counts_as + " (" + join(parts) + ")");
  }
};

// What a metric is evaluated on, and where its values go.
struct Evaluation {
  const stats::BootstrapOptions& options;
  const std::set<std::string>& constituents;
  MochaResult& result;

  Adder adder(const std::string& constituent, std::optional<int64_t> n,
              const std::string& why_missing) const {
    return {result.measurements, {.metric = result.metric, .group = constituent}, n, why_missing};
  }
  // Visits the records of each constituent that is evaluated; `stream` is its number.
  void visit(size_t records, const std::function<std::string(size_t)>& constituent_of,
             const std::function<void(const Group&, uint64_t stream)>& visit_group) const {
    const std::vector<Group> groups = group_by(records, constituent_of);
    for (size_t stream = 0; stream < groups.size(); ++stream) {
      if (is_chosen(constituents, groups[stream].name)) visit_group(groups[stream], stream);
    }
  }
};

void add_sources(const Evaluation& evaluation, std::span<const data::Answer> answers,
                 const Given& given, const Group& constituent, Adder add, uint64_t stream) {
  const std::vector<size_t>& members = constituent.members;
  const auto source = [&](size_t i) { return answers[members[i]].source; };
  for (Group& group : group_by(members.size(), source)) {
    if (group.name.empty()) continue;
    for (size_t& member : group.members) member = members[member];  // indices among all records
    const Series series = series_of(answers, given, group.members);
    add.keys.source = group.name;
    add.n = std::ssize(group.members);
    add_correlations(add, stats::correlations(series.human, series.predicted), {},
                     resampled_pearson(series, evaluation.options, stream));
    if (group.members.size() < members.size()) {
      add_once(constituent.name, evaluation.result.with_sources);
    }
  }
}

void evaluate_answers(const Evaluation& evaluation, std::span<const data::Answer> answers,
                      const Given& given) {
  const std::string undefined = "constant or fewer than two values";
  Statistics pearson, spearman, kendall;  // by constituent
  std::vector<Statistics> resampled;
  std::vector<std::string> without;
  MissingCounts missing;
  const auto constituent_of = [&](size_t i) { return answers[i].constituent; };
  evaluation.visit(answers.size(), constituent_of, [&](const Group& group, uint64_t stream) {
    const Series series = series_of(answers, given, group.members);
    const stats::Correlations values = stats::correlations(series.human, series.predicted);
    resampled.push_back(resampled_pearson(series, evaluation.options, stream));
    const Adder add = evaluation.adder(group.name, std::ssize(group.members), undefined);
    add_correlations(add, values, stats::percentile_interval(resampled.back()), resampled.back());
    add.counts({{"missing", series.missing}});
    add_sources(evaluation, answers, given, group, add, stream);
    missing.add(group.name, series.missing, group.members.size());
    if (!values.pearson) without.push_back(group.name);
    pearson.push_back(values.pearson);
    spearman.push_back(values.spearman);
    kendall.push_back(values.kendall);
  });
  const stats::Correlations average = {mean_if_all(pearson), mean_if_all(spearman),
                                       mean_if_all(kendall)};
  std::optional<stats::Interval> interval;
  if (average.pearson) interval = stats::percentile_interval(means_by_resample(resampled));
  add_correlations(evaluation.adder("", {}, "undefined for a constituent"), average, interval);
  missing.note("predictions", "0", evaluation.result.notes);
  if (!without.empty()) {
    evaluation.result.notes.push_back("no average, the correlation is undefined (" + undefined +
                                      ") for " + join(without));
  }
}

struct GivenPairs {
  Given better, worse;
};

// Without values when the metric did not score the pairs.
void evaluate_pairs(const Evaluation& evaluation, std::span<const data::AnswerPair> pairs,
                    const std::optional<GivenPairs>& given) {
  const std::string accuracy = "minimal_pair_accuracy", why = "the minimal pairs are not scored";
  Statistics accuracies;  // by constituent
  MissingCounts missing;
  const auto constituent_of = [&](size_t i) { return pairs[i].better.constituent; };
  evaluation.visit(pairs.size(), constituent_of, [&](const Group& group, uint64_t stream) {
    const Adder add = evaluation.adder(group.name, std::ssize(group.members), why);
    int64_t missing_here = 0;
    std::vector<double> points;
    for (const size_t i : group.members) {
      if (!given) break;
      const std::optional<double>&better = given->better[i], &worse = given->worse[i];
      if (!better || !worse) ++missing_here;
      points.push_back(!better || !worse ? 0 : *better > *worse ? 1 : *better == *worse ? 0.5 : 0);
    }
    accuracies.push_back(given ? std::optional(stats::mean(points)) : std::nullopt);
    add(accuracy, accuracies.back()).resampled =
        stats::resampled_statistics(apart(points.size()), evaluation.options, stream, 1,
                                    [&](stats::Counts counts) {
                                      const double sum = std::inner_product(
                                          points.begin(), points.end(), counts.begin(), 0.0);
                                      return Statistics{sum / static_cast<double>(points.size())};
                                    })
            .front();
    add.counts({{"missing_minimal_pairs", missing_here}});
    missing.add(group.name, missing_here, group.members.size());
  });
  if (accuracies.empty()) return;
  evaluation.adder("", {}, why)(accuracy, mean_if_all(accuracies));
  missing.note("minimal pairs", "incorrect", evaluation.result.notes);
  if (!given) evaluation.result.notes.push_back(why);
}

}  // namespace

MochaResult evaluate_mocha(std::span<const data::Answer> answers,
                           std::span<const data::AnswerPair> pairs,
                           const MochaPredictions& predictions,
                           const stats::BootstrapOptions& options,
                           const std::set<std::string>& constituents) {
  MochaResult result{predictions.metric, {}, {}, {}};
  std::set<data::InstanceKey> unused;  // a pair's key occurs in both of its predictions
  const auto matched = [&](const std::vector<data::InstanceKey>& keys,
                           const data::Predictions& values) {
    data::MatchedPredictions match = data::match_predictions(keys, values, result.metric);
    unused.insert(match.unused.begin(), match.unused.end());
    return std::move(match.values);
  };
  const Evaluation evaluation{options, constituents, result};
  evaluate_answers(evaluation, answers, matched(keys_of(answers), predictions.answers));
  std::optional<GivenPairs> given_pairs;
  if (predictions.pairs) {
    const std::vector<data::InstanceKey> keys = keys_of(pairs);
    given_pairs = {matched(keys, predictions.pairs->better),
                   matched(keys, predictions.pairs->worse)};
  }
  evaluate_pairs(evaluation, pairs, given_pairs);
  std::vector<std::string> names;
  for (const auto& [constituent, id] : unused) {
    names.push_back(constituent.empty() ? id : constituent + "/" + id);
  }
  if (!names.empty()) {
    result.notes.push_back(std::to_string(names.size()) +
                           " scores belong to no instance: " + data::ids_text(names));
  }
  return result;
}

bool is_chosen(const std::set<std::string>& constituents, const std::string& name) {
  return constituents.empty() || constituents.contains(name);
}

Series series_of(std::span<const data::Answer> answers, const Given& given,
                 const std::vector<size_t>& members) {
  Series series;
  for (const size_t i : members) {
    if (!answers[i].score) {
      throw InputError("the instance has no human score to compare with",
                       json_quote(answers[i].constituent) + " / " + json_quote(answers[i].id),
                       "evaluate a file with labels");
    }
    series.human.push_back(*answers[i].score);
    series.predicted.push_back(given[i].value_or(0));
    series.missing += given[i] ? 0 : 1;
  }
  return series;
}

std::vector<data::InstanceKey> keys_of(std::span<const data::Answer> answers) {
  std::vector<data::InstanceKey> keys;
  for (const data::Answer& answer : answers) keys.emplace_back(answer.constituent, answer.id);
  return keys;
}

std::vector<data::InstanceKey> keys_of(std::span<const data::AnswerPair> pairs) {
  std::vector<data::InstanceKey> keys;
  for (const data::AnswerPair& pair : pairs)
    keys.emplace_back(pair.better.constituent, pair.better.id);
  return keys;
}

}  // namespace rubric::eval
