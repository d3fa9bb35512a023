#include "eval/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "eval/agreement/agreement.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "metrics/list.h"
#include "stats/significance.h"

namespace rubric::eval {
namespace {

using Series = std::vector<double>;  // by record, or by resample

Series sum(const Series& first, const Series& second) {
  Series sums(first.size());
  std::ranges::transform(first, second, sums.begin(), std::plus());
  return sums;
}

// `first` and `second`: the means of the two systems' scores in each resample, less the same for
// both. Of p: how many resamples have a difference as far from the observed one as that is from 0,
// but for `rounding`.
void add_bootstrap(const Series& first, const Series& second, double rounding,
                   Measurement& difference) {
  difference.keys.method = "bootstrap";
  difference.p = std::nullopt;
  difference.p_is_bound = false;
  if (first.empty()) return;
  Series differences(first.size());
  std::ranges::transform(first, second, differences.begin(), std::minus());
  difference.interval = stats::percentile_interval(differences);
  const double observed = *difference.value, bound = std::abs(observed) - rounding;
  const auto as_far = std::ranges::count_if(
      differences, [&](double resampled) { return std::abs(resampled - observed) >= bound; });
  difference.p = static_cast<double>(as_far + 1) / static_cast<double>(differences.size() + 1);
  difference.p_is_bound = as_far == 0;
}

// The largest difference that is a tie.
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

// Compares the systems in groups of records.
class Comparison {
 public:
  Comparison(const MatchedSystems& systems, const std::vector<std::string>& metrics,
             const stats::BootstrapOptions& options, Result& result)
      : systems_(systems),
        metrics_(metrics),
        options_(options),
        permutations_(permutations_of(systems, metrics.size(), options)),
        result_(result) {
    for (const auto& scores : systems.scores) ties_.push_back(tie_of(scores));
  }

  void compare(const Group& group) {
    std::vector<uint32_t> of;
    for (const size_t i : group.members) of.push_back(systems_.questions.of[i]);
    const stats::Clusters questions = stats::clusters_by(of);
    const size_t count = systems_.names.size();
    std::vector<std::vector<Series>> scores;  // [metric][system]
    std::vector<Series> drawn;  // of each metric the first system's scores, then all less these
    for (const std::vector<Series>& of_metric : systems_.scores) {
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
                                              ? stats::resampled_means(drawn, questions, options_)
                                              : std::vector<Series>(drawn.size());
    Adder add{result_.measurements, {.group = group.name}, std::ssize(group.members)};
    for (size_t m = 0; m < scores.size(); ++m) {
      add.keys.metric = metrics_[m];
      const auto of_metric = std::span(resampled).subspan(m * (count + 1), count + 1);
      add_means(scores[m], of_metric, add);
      add_pairs(m, scores[m], of_metric.subspan(1), questions, add);
    }
    add.keys.metric = "";
    add("questions", static_cast<double>(questions.count));
  }

  double tie() const { return ties_.front(); }  // of the first metric
  // Systems whose means over all records are equal up to rounding, by metric.
  const std::set<std::tuple<std::string, size_t, size_t>>& equal() const { return equal_; }

 private:
  // `resampled`: of the means of the first system's scores, then of each system's, less the first's
  // row by row.
  void add_means(const std::vector<Series>& scores, std::span<const Series> resampled,
                 Adder add) const {
    for (size_t s = 0; s < scores.size(); ++s) {
      add.keys.system = systems_.names[s];
      add("mean", stats::mean(scores[s]),
          stats::percentile_interval(sum(resampled.front(), resampled[s + 1])));
    }
  }

  void add_pairs(size_t metric, const std::vector<Series>& scores, std::span<const Series> relative,
                 const stats::Clusters& questions, Adder add) {
    const std::vector<stats::TestResult> tests =
        stats::permutation_tests_of_means(scores, questions, {permutations_, options_.seed});
    auto test = tests.begin();
    for (size_t a = 0; a < scores.size(); ++a) {
      for (size_t b = a + 1; b < scores.size(); ++b, ++test) {
        add.keys.system = systems_.names[a];
        add.keys.against = systems_.names[b];
        add.keys.method = "";
        add_wins(scores[a], scores[b], ties_[metric], metrics::is_lower_better(metrics_[metric]),
                 add);
        const double rounding = stats::rounding_of_difference(scores[a], scores[b]);
        if (add.keys.group.empty() && std::abs(test->statistic) <= rounding) {
          equal_.emplace(metrics_[metric], a, b);
        }
        add.keys.method = "permutation";
        Measurement& permuted = add("difference", test->statistic);
        permuted.p = test->p;
        permuted.p_is_bound = test->is_least;
        Measurement bootstrapped = permuted;
        add_bootstrap(relative[a], relative[b], rounding, bootstrapped);
        add.to.push_back(std::move(bootstrapped));
      }
    }
  }

  static void add_wins(const Series& first, const Series& second, double tie, bool is_lower_better,
                       const Adder& add) {
    int64_t wins = 0, ties = 0, losses = 0;
    for (size_t i = 0; i < first.size(); ++i) {
      const double difference = first[i] - second[i];
      const bool is_win = is_lower_better ? difference < 0 : difference > 0;
      ++(std::abs(difference) <= tie ? ties : is_win ? wins : losses);
    }
    add("wins", static_cast<double>(wins));
    add("ties", static_cast<double>(ties));
    add("losses", static_cast<double>(losses));
  }

  const MatchedSystems& systems_;
  const std::vector<std::string>& metrics_;
  const stats::BootstrapOptions& options_;
  int64_t permutations_;
  std::vector<double> ties_;  // by metric
  std::set<std::tuple<std::string, size_t, size_t>> equal_;
  Result& result_;
};

// The records on which two systems differ most by the first metric, by the size of the difference,
// then in the order of the file; those that tie are left out. Texts are as the first system's row
// has them.
void add_differing(const MatchedSystems& systems, size_t first, size_t second, double tie,
                   size_t most, RecordRows& rows) {
  const Series &scores = systems.scores[0][first], &others = systems.scores[0][second];
  const auto difference = [&](size_t i) { return std::abs(scores[i] - others[i]); };
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::erase_if(order, [&](size_t i) { return difference(i) <= tie; });
  std::ranges::stable_sort(order, std::greater(), difference);
  order.resize(std::min(order.size(), most));
  for (const size_t i : order) {
    const RecordKey& key = systems.records[i];
    const RowTexts &of_first = systems.texts[first][i], &of_second = systems.texts[second][i];
    rows.push_back({systems.names[first], systems.names[second], key.group, key.constituent, key.id,
                    of_first.question, of_first.reference, of_first.candidate, scores[i],
                    of_second.candidate, others[i]});
  }
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

// The value of all records.
double value_of(const Result& result, const std::string& statistic, const Keys& keys) {
  const auto found = std::ranges::find_if(result.measurements, [&](const Measurement& one) {
    return one.statistic == statistic && one.keys == keys;
  });
  return found->value.value();
}

// On the systems that a metric puts first.
std::string best_system_note(const MatchedSystems& systems, const std::string& metric,
                             const Comparison& comparison, const Result& result) {
  std::vector<double> means;
  for (const std::string& system : systems.names) {
    means.push_back(value_of(result, "mean", {.metric = metric, .system = system}));
  }
  const bool is_lower_better = metrics::is_lower_better(metric);
  const auto place =
      is_lower_better ? std::ranges::min_element(means) : std::ranges::max_element(means);
  const auto first_of_all = static_cast<size_t>(place - means.begin());
  std::set<std::string> best = {systems.names[first_of_all]};
  for (const auto& [of, first, second] : comparison.equal()) {
    if (of != metric || (first != first_of_all && second != first_of_all)) continue;
    best.insert({systems.names[first], systems.names[second]});
  }
  return metric + ": " +
         best_note(result.measurements, {.metric = metric, .method = "permutation"}, &Keys::system,
                   systems.names, best, "mean", is_lower_better ? "lowest" : "highest");
}

// Two systems with the same scores of every record, by every metric: one file under two names.
void add_same_systems(const MatchedSystems& systems, const std::vector<std::string>& metrics,
                      const Result& result, std::vector<std::string>& notes) {
  for (size_t a = 0; a < systems.names.size(); ++a) {
    for (size_t b = a + 1; b < systems.names.size(); ++b) {
      const std::string &first = systems.names[a], &second = systems.names[b];
      const auto is_same = [&](const std::string& metric) {
        const Keys keys{.metric = metric, .system = first, .against = second};
        return value_of(result, "wins", keys) + value_of(result, "losses", keys) == 0;
      };
      if (!std::ranges::all_of(metrics, is_same)) continue;
      notes.push_back(first + " and " + second +
                      " have the same scores of every record: check that these are two systems");
    }
  }
}

// `tests`: over how many Holm's correction is.
std::vector<std::string> test_notes(const MatchedSystems& systems,
                                    const std::vector<std::string>& metrics,
                                    const stats::BootstrapOptions& options, size_t tests,
                                    const Result& result) {
  std::vector<std::string> notes = {
      "95% intervals and p from " + counted(options.resamples, "resample") + " and " +
      counted(permutations_of(systems, metrics.size(), options), "drawn permutation") +
      ", or all permutations of at most 20 questions"};
  if (tests > 1) {
    notes.push_back("Holm: p with Holm's correction over all " + std::to_string(tests) +
                    " comparisons");
  }
  notes.emplace_back(
      "wins, ties, losses: records that score better with the first system, with neither, with the "
      "second");
  const bool has_bound = std::ranges::any_of(result.measurements, [](const Measurement& one) {
    return shows_bound(one.p, one.p_is_bound) || shows_bound(one.p_holm, one.p_holm_is_bound);
  });
  if (has_bound) {
    notes.emplace_back("≤: an upper bound, the least p of so many resamples or permutations");
  }
  std::vector<CountedQuestions> parts;
  for (const Measurement& one : result.measurements) {
    if (one.statistic != "questions") continue;
    parts.push_back({one.keys.group.empty() ? "all records" : one.keys.group,
                     static_cast<int64_t>(*one.value)});
  }
  if (const std::string note = few_questions_note(parts); !note.empty()) {
    notes.push_back(note + ", and its p too small: p of the permutation test is the one to read");
  }
  add_same_systems(systems, metrics, result, notes);
  int64_t repeats = 0;
  for (const Measurement& one : result.measurements) {
    if (one.statistic != "questions") continue;
    const auto questions = static_cast<int64_t>(*one.value);
    if (!one.keys.group.empty()) {
      repeats += questions != one.n ? 1 : 0;
      continue;
    }
    if (questions == 1) {
      notes.emplace_back(
          "one question has no resamples but itself: no interval, and no p of the "
          "bootstrap; its p of the permutation test is 1");
    }
    if (questions != one.n) {
      notes.push_back("all records: " + counted(*one.n, "row") + " of " +
                      counted(questions, "question") + ", resampled and permuted by question");
    }
  }
  add_count("Groups with several rows of a question, which are resampled and permuted together",
            repeats, notes);
  return notes;
}

// A bar for each system, or for each system in every group; and the differences over all records.
void add_plots(const std::string& metric, bool has_groups, Result& result) {
  const std::map<std::string, std::string> texts = {{"metric", metric}};
  result.interval_plots.push_back(
      {read_layout("compare", has_groups ? "means_plot_by_group" : "means_plot", texts), metric});
  result.interval_plots.push_back(
      {read_layout("compare", "differences_plot", texts), "difference in " + metric, {}, true});
}

}  // namespace

int64_t permutations_of(const MatchedSystems& systems, size_t metrics,
                        const stats::BootstrapOptions& options) {
  const size_t count = systems.names.size();
  std::set<std::string> groups = {""};  // of all records
  for (const RecordKey& record : systems.records) groups.insert(record.group);
  return stats::permutations_for(options, count * (count - 1) / 2 * metrics * groups.size());
}

Result compare_systems(const MatchedSystems& systems, const std::vector<std::string>& metrics,
                       const stats::BootstrapOptions& options, int64_t rows, bool prints_rows) {
  for (size_t m = 0; m < metrics.size(); ++m) {
    std::vector<ScoreRange> ranges;
    for (const std::vector<double>& of_system : systems.scores[m]) {
      const auto [least, most] = std::ranges::minmax(of_system);
      ranges.push_back({least, most});
    }
    warn_of_scales(metrics[m], systems.names, ranges);
  }
  const size_t count = systems.names.size();
  Result result{.title = "Comparison of " + counted(static_cast<int64_t>(count), "system")};
  Comparison comparison(systems, metrics, options, result);
  const std::vector<Group> groups =
      all_and_groups(systems.records.size(), [&](size_t i) { return systems.records[i].group; });
  Progress progress("comparing", std::ssize(groups));
  for (size_t i = 0; i < groups.size(); ++i) {
    progress.update(static_cast<int64_t>(i));
    comparison.compare(groups[i]);
  }
  const size_t tests = add_holm(result.measurements).begin()->second;
  result.tables = {read_layout("compare", "means",
                               {{"records", counted(std::ssize(systems.records), "record")}}),
                   read_layout("compare", "differences")};
  result.tables.back().notes = test_notes(systems, metrics, options, tests, result);
  for (const std::string& metric : metrics) {
    add_plots(metric, groups.size() > 1, result);
    result.notes.push_back(best_system_note(systems, metric, comparison, result));
  }
  result.notes.emplace_back("significant: by the permutation test with Holm's correction");
  result.notes.insert(result.notes.end(), systems.notes.begin(), systems.notes.end());
  result.notes.insert(
      result.notes.end(),
      {repeated_note(systems.records), metrics::direction_note(metrics), row_means_note(metrics)});
  std::erase(result.notes, "");
  if (rows == 0) return result;
  RecordRows differing;
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = a + 1; b < count; ++b) {
      add_differing(systems, a, b, comparison.tie(), static_cast<size_t>(rows), differing);
    }
  }
  result.records = {held_records(
      {.name = "differing",
       .title = "Rows on which two systems differ most in " + metrics.front(),
       .columns = {"system", "against", "group", "constituent", "id", "question", "reference",
                   "system_candidate", "system_score", "against_candidate", "against_score"},
       .key_columns = 5,
       .is_printed = prints_rows},
      std::move(differing))};
  return result;
}

}  // namespace rubric::eval
