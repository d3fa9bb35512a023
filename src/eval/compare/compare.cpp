#include "eval/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "eval/agreement/agreement.h"
#include "eval/resampling.h"
#include "stats/significance.h"

namespace rubric::eval {
namespace {

using Series = std::vector<double>;  // by record, or by resample

// nullopt without resamples.
std::optional<stats::Interval> interval_of(const Series& resampled) {
  return stats::percentile_interval(
      std::vector<std::optional<double>>(resampled.begin(), resampled.end()));
}

Series sum(const Series& first, const Series& second) {
  Series sums(first.size());
  std::ranges::transform(first, second, sums.begin(), std::plus());
  return sums;
}

// `first` and `second`: the means of the two systems' scores in each resample, less the same for
// both. Of p: how many resamples have a difference as far from the observed one as that is from 0,
// but for `rounding`.
void add_bootstrap(const Series& first, const Series& second, double rounding,
                   Comparison& comparison) {
  if (first.empty()) return;
  Series differences(first.size());
  std::ranges::transform(first, second, differences.begin(), std::minus());
  comparison.interval = interval_of(differences);
  const double bound = std::abs(comparison.difference) - rounding;
  const auto as_far = std::ranges::count_if(differences, [&](double resampled) {
    return std::abs(resampled - comparison.difference) >= bound;
  });
  comparison.bootstrap_p =
      static_cast<double>(as_far + 1) / static_cast<double>(differences.size() + 1);
  comparison.bootstrap_is_least = as_far == 0;
}

// The largest difference that is a tie (Comparison::ties).
double tie_of(const std::vector<Series>& scores) {
  constexpr double kShare = 1e-5;
  double low = scores.front().front(), high = low;
  for (const Series& of_system : scores) {
    const auto [least, most] = std::ranges::minmax(of_system);
    low = std::min(low, least);
    high = std::max(high, most);
  }
  // Rounding is no difference, however small the range of the scores is.
  constexpr double kRounding = 1e-13;
  return std::max(kShare * (high - low), kRounding * std::max(std::abs(low), std::abs(high)));
}

void count_wins(const Series& first, const Series& second, double tie, Comparison& comparison) {
  for (size_t i = 0; i < first.size(); ++i) {
    const double difference = first[i] - second[i];
    ++(std::abs(difference) <= tie ? comparison.ties
       : difference > 0            ? comparison.wins
                                   : comparison.losses);
  }
}

// `first`: the means of the first system's scores in each resample. `relative`: those of each
// system's, less the first's row by row.
MetricComparison compare_metric(std::span<const Series> scores, const Series& first,
                                std::span<const Series> relative,
                                const std::vector<stats::TestResult>& tests, double tie) {
  MetricComparison metric;
  for (size_t s = 0; s < scores.size(); ++s) {
    metric.means.push_back({stats::mean(scores[s]), interval_of(sum(first, relative[s]))});
  }
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      const stats::TestResult& test = tests[metric.comparisons.size()];
      Comparison comparison;
      comparison.first = a;
      comparison.second = b;
      comparison.difference = test.statistic;
      const double rounding = stats::rounding_of_difference(scores[a], scores[b]);
      comparison.is_equal = std::abs(comparison.difference) <= rounding;
      add_bootstrap(relative[a], relative[b], rounding, comparison);
      comparison.permutation_p = test.p;
      comparison.permutation_is_least = test.is_least;
      count_wins(scores[a], scores[b], tie, comparison);
      metric.comparisons.push_back(comparison);
    }
  }
  return metric;
}

GroupComparison compare_group(const Group& group, const MatchedSystems& systems,
                              const std::vector<double>& ties,
                              const stats::BootstrapOptions& options, int64_t permutations) {
  std::vector<uint32_t> of;
  for (const size_t i : group.members) of.push_back(systems.questions.of[i]);
  const stats::Clusters questions = stats::clusters_by(of);
  const size_t count = systems.names.size();
  std::vector<std::vector<Series>> scores;  // [metric][system]
  std::vector<Series> drawn;  // of each metric the first system's scores, then all less these
  for (const std::vector<Series>& of_metric : systems.scores) {
    scores.emplace_back();
    for (const Series& of_system : of_metric) {
      Series& members = scores.back().emplace_back();
      for (const size_t i : group.members) members.push_back(of_system[i]);
    }
    drawn.push_back(scores.back().front());
    for (Series& relative : stats::less_the_first(scores.back())) {
      drawn.push_back(std::move(relative));
    }
  }
  // One question has no resamples but itself: no interval, and no p of the bootstrap.
  const std::vector<Series> resampled = questions.count > 1
                                            ? stats::resampled_means(drawn, questions, options)
                                            : std::vector<Series>(drawn.size());
  GroupComparison compared{
      group.name, std::ssize(group.members), static_cast<int64_t>(questions.count), {}};
  for (size_t m = 0; m < scores.size(); ++m) {
    const auto of_metric = std::span(resampled).subspan(m * (count + 1), count + 1);
    compared.metrics.push_back(compare_metric(
        scores[m], of_metric.front(), of_metric.subspan(1),
        stats::permutation_tests_of_means(scores[m], questions, {permutations, options.seed}),
        ties[m]));
  }
  return compared;
}

DifferingRow differing_row(const MatchedSystems& systems, size_t first, size_t second, size_t i) {
  const RecordKey& key = systems.records[i];
  const RowTexts &of_first = systems.texts[first][i], &of_second = systems.texts[second][i];
  return {key.group,
          key.constituent,
          key.id,
          of_first.question,
          of_first.reference,
          of_first.candidate,
          of_second.candidate,
          systems.scores[0][first][i],
          systems.scores[0][second][i]};
}

DifferingRows differing_rows(const MatchedSystems& systems, size_t first, size_t second, double tie,
                             size_t most) {
  const Series &scores = systems.scores[0][first], &others = systems.scores[0][second];
  const auto difference = [&](size_t i) { return std::abs(scores[i] - others[i]); };
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::erase_if(order, [&](size_t i) { return difference(i) <= tie; });
  std::ranges::stable_sort(order, std::greater(), difference);
  order.resize(std::min(order.size(), most));
  DifferingRows differing{first, second, {}};
  for (const size_t i : order) differing.rows.push_back(differing_row(systems, first, second, i));
  return differing;
}

// A mean counts an id as often as it has constituents, such as filters of one response.
std::string repeated_note(const std::vector<RecordKey>& records) {
  std::map<std::string, std::set<std::string>> constituents;  // by id
  for (const RecordKey& key : records) constituents[key.id].insert(key.constituent);
  std::set<std::string> names;
  int64_t ids = 0;
  for (const auto& [id, of] : constituents) {
    if (of.size() == 1) continue;
    names.insert(of.begin(), of.end());
    ++ids;
  }
  if (ids == 0) return "";
  return counted(ids, "id has", "ids have") + " a record in each of several constituents (" +
         join_some({names.begin(), names.end()}) + "), and means are over all of them";
}

}  // namespace

SystemComparison compare_systems(const MatchedSystems& systems,
                                 const std::vector<std::string>& metrics,
                                 const stats::BootstrapOptions& options, int64_t rows) {
  SystemComparison comparison;
  comparison.metrics = metrics;
  comparison.systems = systems.names;
  comparison.resamples = options.resamples;
  comparison.notes = systems.notes;
  comparison.notes.insert(comparison.notes.end(),
                          {repeated_note(systems.records), row_means_note(metrics)});
  std::erase(comparison.notes, "");
  const size_t count = systems.names.size();
  const std::vector<Group> groups =
      all_and_groups(systems.records.size(), [&](size_t i) { return systems.records[i].group; });
  comparison.permutations =
      stats::permutations_for(options, count * (count - 1) / 2 * metrics.size() * groups.size());
  std::vector<double> ties;
  for (const auto& scores : systems.scores) ties.push_back(tie_of(scores));
  Progress progress("comparing", std::ssize(groups));
  for (const Group& group : groups) {
    progress.update(std::ssize(comparison.groups));
    comparison.groups.push_back(
        compare_group(group, systems, ties, options, comparison.permutations));
  }
  for (size_t a = 0; a < count && rows > 0; ++a) {
    for (size_t b = a + 1; b < count; ++b) {
      comparison.differing.push_back(
          differing_rows(systems, a, b, ties.front(), static_cast<size_t>(rows)));
    }
  }
  return comparison;
}

}  // namespace rubric::eval
