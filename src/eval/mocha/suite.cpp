#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "core/error.h"
#include "eval/mocha/mocha.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace rubric::eval {
namespace {

stats::Correlations correlations_of(const Series& series) {
  return stats::correlations(series.human, series.predicted);
}

Resampled resampled_pearson(const Series& series, const stats::BootstrapOptions& options,
                            uint64_t stream) {
  const std::array<std::span<const double>, 2> pair = {series.human, series.predicted};
  const stats::DistinctRecords records(pair);
  const stats::ResampledCorrelation correlation(records.values_of(series.human),
                                                records.values_of(series.predicted));
  return stats::bootstrap_statistics(
      series.human.size(),
      [&](stats::Counts counts) { return correlation.pearson(records.drawn(counts)); }, options,
      stream);
}

std::vector<SourceResult> source_results(std::span<const data::Answer> answers, const Given& given,
                                         const std::vector<size_t>& members,
                                         const stats::BootstrapOptions& options, uint64_t stream) {
  std::vector<SourceResult> results;
  const auto source = [&](size_t i) { return answers[members[i]].source; };
  for (Group& group : group_by(members.size(), source)) {
    if (group.name.empty()) continue;
    for (size_t& member : group.members) member = members[member];  // indices among all records
    const Series series = series_of(answers, given, group.members);
    results.push_back({group.name, correlations_of(series), std::ssize(group.members),
                       resampled_pearson(series, options, stream)});
  }
  return results;
}

std::optional<double> mean_of(const std::vector<ConstituentResult>& constituents,
                              std::optional<double> stats::Correlations::*statistic) {
  std::vector<std::optional<double>> values;
  for (const auto& constituent : constituents)
    values.push_back(constituent.correlations.*statistic);
  return mean_if_all(values);
}

// For each resample the mean of the constituents' values.
std::vector<std::optional<double>> means_by_resample(
    const std::vector<std::vector<std::optional<double>>>& resampled) {
  std::vector<std::optional<double>> means;
  for (size_t i = 0; i < resampled.front().size(); ++i) {
    std::vector<std::optional<double>> column;
    for (const auto& constituent : resampled) column.push_back(constituent[i]);
    means.push_back(mean_if_all(column));
  }
  return means;
}

void evaluate_answers(std::span<const data::Answer> answers, const Given& given,
                      const stats::BootstrapOptions& options,
                      const std::set<std::string>& constituents, MochaResult& result) {
  const std::vector<Group> groups =
      group_by(answers.size(), [&](size_t i) { return answers[i].constituent; });
  std::vector<std::vector<std::optional<double>>> resampled;
  for (size_t stream = 0; stream < groups.size(); ++stream) {
    const auto& [name, members] = groups[stream];
    if (!is_chosen(constituents, name)) continue;
    const Series series = series_of(answers, given, members);
    resampled.push_back(resampled_pearson(series, options, stream));
    result.constituents.push_back(
        {name, correlations_of(series), stats::percentile_interval(resampled.back()),
         std::ssize(members), series.missing,
         source_results(answers, given, members, options, stream), resampled.back()});
  }
  result.average = {mean_of(result.constituents, &stats::Correlations::pearson),
                    mean_of(result.constituents, &stats::Correlations::spearman),
                    mean_of(result.constituents, &stats::Correlations::kendall)};
  if (result.average.pearson)
    result.interval = stats::percentile_interval(means_by_resample(resampled));
}

struct GivenPairs {
  Given better, worse;
};

// The result for one constituent's pairs; without values when the metric did not score the pairs.
PairResult pair_result(const Group& group, const std::optional<GivenPairs>& given,
                       const stats::BootstrapOptions& options, uint64_t stream) {
  PairResult result{group.name, std::nullopt, std::ssize(group.members), 0, {}};
  if (!given) return result;
  std::vector<double> points;
  for (const size_t i : group.members) {
    const std::optional<double>&better = given->better[i], &worse = given->worse[i];
    if (!better || !worse) {
      ++result.missing;
      points.push_back(0);
    } else {
      points.push_back(*better > *worse ? 1 : *better == *worse ? 0.5 : 0);
    }
  }
  result.accuracy = stats::mean(points);
  result.resampled = stats::bootstrap_statistics(
      points.size(),
      [&](stats::Counts counts) {
        const double sum = std::inner_product(points.begin(), points.end(), counts.begin(), 0.0);
        return std::optional(sum / static_cast<double>(points.size()));
      },
      options, stream);
  return result;
}

void evaluate_pairs(std::span<const data::AnswerPair> pairs, const std::optional<GivenPairs>& given,
                    const stats::BootstrapOptions& options,
                    const std::set<std::string>& constituents, MochaResult& result) {
  std::vector<std::optional<double>> accuracies;
  const std::vector<Group> groups =
      group_by(pairs.size(), [&](size_t i) { return pairs[i].better.constituent; });
  for (size_t stream = 0; stream < groups.size(); ++stream) {
    if (!is_chosen(constituents, groups[stream].name)) continue;
    result.pairs.push_back(pair_result(groups[stream], given, options, stream));
    accuracies.push_back(result.pairs.back().accuracy);
  }
  result.pair_average = mean_if_all(accuracies);
}

}  // namespace

MochaResult evaluate_mocha(std::span<const data::Answer> answers,
                           std::span<const data::AnswerPair> pairs,
                           const MochaPredictions& predictions,
                           const stats::BootstrapOptions& options,
                           const std::set<std::string>& constituents) {
  MochaResult result;
  result.metric = predictions.metric;
  const auto matched = [&](const std::vector<data::InstanceKey>& keys,
                           const data::Predictions& values) {
    data::MatchedPredictions match = data::match_predictions(keys, values, result.metric);
    result.unused.insert(result.unused.end(), match.unused.begin(), match.unused.end());
    return std::move(match.values);
  };
  evaluate_answers(answers, matched(keys_of(answers), predictions.answers), options, constituents,
                   result);
  std::optional<GivenPairs> given_pairs;
  if (predictions.pairs) {
    const std::vector<data::InstanceKey> keys = keys_of(pairs);
    given_pairs = {matched(keys, predictions.pairs->better),
                   matched(keys, predictions.pairs->worse)};
  }
  std::ranges::sort(result.unused);  // a pair's key occurs in both of its predictions
  result.unused.erase(std::unique(result.unused.begin(), result.unused.end()), result.unused.end());
  evaluate_pairs(pairs, given_pairs, options, constituents, result);
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
