#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "eval/compare/compare.h"
#include "eval/report/table.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

constexpr const char* kAllRecords = "all records";

// On the systems that a metric puts first.
std::string best_system_note(const SystemComparison& comparison, size_t metric,
                             std::span<const Measurement> measurements) {
  const MetricComparison& results = comparison.groups.front().metrics[metric];
  const auto highest = static_cast<size_t>(
      std::ranges::max_element(results.means, {}, &SystemMean::mean) - results.means.begin());
  std::set<std::string> best = {comparison.systems[highest]};
  for (const Comparison& pair : results.comparisons) {
    if (!pair.is_equal || (pair.first != highest && pair.second != highest)) continue;
    best.insert({comparison.systems[pair.first], comparison.systems[pair.second]});
  }
  const std::string& name = comparison.metrics[metric];
  return name + ": " +
         best_note(measurements, {.metric = name, .method = "permutation"}, &Keys::system,
                   comparison.systems, best, "mean");
}

// Two systems with the same scores of every record, by every metric: one file under two names.
void add_same_systems(const SystemComparison& comparison, std::vector<std::string>& notes) {
  const std::vector<MetricComparison>& metrics = comparison.groups.front().metrics;
  for (size_t pair = 0; pair < metrics.front().comparisons.size(); ++pair) {
    const auto is_same = [&](const MetricComparison& metric) {
      return metric.comparisons[pair].wins + metric.comparisons[pair].losses == 0;
    };
    if (!std::ranges::all_of(metrics, is_same)) continue;
    const auto [first, second] = std::pair(metrics.front().comparisons[pair].first,
                                           metrics.front().comparisons[pair].second);
    notes.push_back(comparison.systems[first] + " and " + comparison.systems[second] +
                    " have the same scores of every record: check that these are two systems");
  }
}

// `tests`: over how many Holm's correction is.
std::vector<std::string> test_notes(const SystemComparison& comparison, size_t tests,
                                    std::span<const Measurement> measurements) {
  std::vector<std::string> notes = {"95% intervals and p from " +
                                    counted(comparison.resamples, "resample") + " and " +
                                    counted(comparison.permutations, "drawn permutation") +
                                    ", or all permutations of at most 20 questions"};
  if (tests > 1) {
    notes.push_back("Holm: p with Holm's correction over all " + std::to_string(tests) +
                    " comparisons");
  }
  notes.emplace_back(
      "wins, ties, losses: records that score higher with the first system, with neither, with the "
      "second");
  const bool has_bound = std::ranges::any_of(measurements, [](const Measurement& one) {
    return shows_bound(one.p, one.p_is_bound) || shows_bound(one.p_holm, one.p_holm_is_bound);
  });
  if (has_bound) {
    notes.emplace_back("≤: an upper bound, the least p of so many resamples or permutations");
  }
  add_same_systems(comparison, notes);
  const GroupComparison& all = comparison.groups.front();
  if (all.questions == 1) {
    notes.emplace_back(
        "one question has no resamples but itself: no interval, and no p of the "
        "bootstrap; its p of the permutation test is 1");
  }
  if (all.questions != all.n) {
    notes.push_back(kAllRecords + (": " + counted(all.n, "row")) + " of " +
                    counted(all.questions, "question") + ", resampled and permuted by question");
  }
  const auto repeats = std::ranges::count_if(
      std::span(comparison.groups).subspan(1),
      [](const GroupComparison& group) { return group.questions != group.n; });
  add_count("Groups with several rows of a question, which are resampled and permuted together",
            repeats, notes);
  return notes;
}

void add_measurements(const SystemComparison& comparison, const GroupComparison& group,
                      size_t metric, std::vector<Measurement>& measurements) {
  const MetricComparison& results = group.metrics[metric];
  const std::string& name = comparison.metrics[metric];
  for (size_t s = 0; s < comparison.systems.size(); ++s) {
    measurements.push_back(
        {.keys = {.metric = name, .system = comparison.systems[s], .group = group.name},
         .statistic = "mean",
         .value = results.means[s].mean,
         .interval = results.means[s].interval,
         .n = group.n});
  }
  for (const Comparison& pair : results.comparisons) {
    Measurement one{.keys = {.metric = name,
                             .system = comparison.systems[pair.first],
                             .against = comparison.systems[pair.second],
                             .group = group.name},
                    .statistic = {},
                    .n = group.n};
    for (const auto& [statistic, count] :
         {std::pair("wins", pair.wins), {"ties", pair.ties}, {"losses", pair.losses}}) {
      one.statistic = statistic;
      one.value = static_cast<double>(count);
      measurements.push_back(one);
    }
    one.statistic = "difference";
    one.value = pair.difference;
    one.keys.method = "permutation";
    one.p = pair.permutation_p;
    one.p_is_bound = pair.permutation_is_least;
    measurements.push_back(one);
    one.keys.method = "bootstrap";
    one.interval = pair.interval;
    one.p = pair.bootstrap_p;
    one.p_is_bound = pair.bootstrap_is_least;
    measurements.push_back(one);
  }
}

Layout means_layout(const SystemComparison& comparison) {
  return {.title = "Means over " + counted(comparison.groups.front().n, "record"),
          .rows = {{"group", &Keys::group, kAllRecords}, {"system", &Keys::system}},
          .columns = {{.statistics = {"mean"}, .across = &Keys::metric}}};
}

Layout tests_layout() {
  const auto p = [](const std::string& method, const std::string& title, CellPart part) {
    return Column{
        .title = title, .statistics = {"difference"}, .keys = {.method = method}, .part = part};
  };
  const auto count = [](const std::string& name) {
    return Column{.title = name, .statistics = {name}, .form = NumberForm::count};
  };
  return {
      .title = "Differences, with p of the paired bootstrap and the paired permutation test",
      .rows = {{"group", &Keys::group, kAllRecords},
               {"metric", &Keys::metric},
               {"system", &Keys::system},
               {"against", &Keys::against}},
      .columns = {
          {.title = "difference", .statistics = {"difference"}, .keys = {.method = "bootstrap"}},
          count("wins"),
          count("ties"),
          count("losses"),
          p("bootstrap", "p (bootstrap)", CellPart::p),
          p("bootstrap", "Holm (bootstrap)", CellPart::p_holm),
          p("permutation", "p (permutation)", CellPart::p),
          p("permutation", "Holm (permutation)", CellPart::p_holm)}};
}

// A bar for each system, or for each system in every group; and the differences over all records.
void add_plots(const SystemComparison& comparison, const std::string& metric, Result& result) {
  Layout means{.title = "Mean " + metric + ", 95% intervals",
               .rows = {{"system", &Keys::system}},
               .columns = {{.statistics = {"mean"}}},
               .keys = {.metric = metric}};
  if (comparison.groups.size() > 1) {
    means.rows = {{"group", &Keys::group, kAllRecords}};
    means.columns.front().across = &Keys::system;
  }
  result.interval_plots.push_back({std::move(means), metric});
  result.interval_plots.push_back(
      {{.title = "Differences in " + metric + ", 95% intervals",
        .rows = {{"system", &Keys::system}, {"against", &Keys::against}},
        .columns = {{.statistics = {"difference"}, .keys = {.method = "bootstrap"}}},
        .keys = {.metric = metric}},
       "difference in " + metric});
}

Records differing_records(const SystemComparison& comparison) {
  std::vector<std::vector<RecordValue>> rows;
  for (const DifferingRows& pair : comparison.differing) {
    for (const DifferingRow& row : pair.rows) {
      rows.push_back({comparison.systems[pair.first], comparison.systems[pair.second], row.group,
                      row.constituent, row.id, row.question, row.reference, row.first_candidate,
                      row.first_score, row.second_candidate, row.second_score});
    }
  }
  return {.name = "differing",
          .title = "Rows on which two systems differ most in " + comparison.metrics.front(),
          .columns = {"system", "against", "group", "constituent", "id", "question", "reference",
                      "system_candidate", "system_score", "against_candidate", "against_score"},
          .key_columns = 5,
          .size = rows.size(),
          .row = [rows](size_t row) { return rows[row]; },
          .is_printed = comparison.prints_rows};
}

}  // namespace

Result comparison_result(const SystemComparison& comparison) {
  Result result{.title = "Comparison of " + counted(std::ssize(comparison.systems), "system"),
                .measurements = {},
                .tables = {means_layout(comparison), tests_layout()},
                .signature = comparison.signature};
  for (const GroupComparison& group : comparison.groups) {
    for (size_t m = 0; m < comparison.metrics.size(); ++m) {
      add_measurements(comparison, group, m, result.measurements);
    }
    result.measurements.push_back({.keys = {.group = group.name},
                                   .statistic = "questions",
                                   .value = static_cast<double>(group.questions),
                                   .n = group.n});
  }
  const size_t tests = add_holm(result.measurements).begin()->second;
  result.tables.back().notes = test_notes(comparison, tests, result.measurements);
  for (size_t m = 0; m < comparison.metrics.size(); ++m) {
    add_plots(comparison, comparison.metrics[m], result);
    result.notes.push_back(best_system_note(comparison, m, result.measurements));
  }
  result.notes.emplace_back("significant: by the permutation test with Holm's correction");
  result.notes.insert(result.notes.end(), comparison.notes.begin(), comparison.notes.end());
  if (!comparison.differing.empty()) result.records.push_back(differing_records(comparison));
  return result;
}

}  // namespace rubric::eval
