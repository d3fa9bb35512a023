#include "eval/estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "eval/agreement/agreement.h"
#include "eval/estimate/choose.h"
#include "eval/estimate/parts.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "metrics/list.h"
#include "stats/cross_fitting.h"
#include "stats/prediction_powered.h"
#include "stats/random_draw.h"

namespace rubric::eval {
namespace {

Estimate estimate_of(const stats::PoweredMean& mean) {
  Estimate estimate;
  estimate.value = mean.value;
  estimate.standard_error = mean.standard_error;
  estimate.interval = mean.interval;
  estimate.freedom = mean.freedom;
  return estimate;
}

double width(const stats::Interval& interval) {
  return interval.high - interval.low;
}

// An interval beside that of `labels` labels of n answers alone. With n' labels alone the square of
// its width is in proportion to 1 / n' - 1 / n.
std::optional<double> effective_labels(const stats::Interval& alone, const stats::Interval& with,
                                       int64_t labels, int64_t n) {
  if (width(alone) == 0) return std::nullopt;
  const double all = 1 / static_cast<double>(n);
  const double ratio = width(with) / width(alone);
  return 1 / (ratio * ratio * (1 / static_cast<double>(labels) - all) + all);
}

// Labels alone, then with each predictor. Empty if something is lacking.
using Means = std::vector<stats::PoweredMean>;

Means means_of(const stats::LabelDraw& draw, const Predictors& predictors, size_t metrics) {
  Means means = {stats::powered_mean(draw, {}, stats::Slope::none)};
  for (size_t p = 0; p < predictors.size(); ++p) {
    const stats::Slope slope = p < metrics ? stats::Slope::tuned : stats::Slope::cut;
    means.push_back(stats::powered_mean(draw, predictors[p], slope));
  }
  return means;
}

// Fills in what a system and a difference have alike. `labels` are of `n` answers.
template <class Estimates>
void add_estimates(const Means& means, int64_t labels, int64_t n, Estimates& estimates) {
  for (size_t e = 0; e < means.size(); ++e) {
    const Estimate estimate = estimate_of(means[e]);
    if (e == 0) {
      estimates.labels_alone = estimate;
      continue;
    }
    std::optional<Estimate>& with = estimates.with[e - 1];
    with = estimate;
    // That of scores of 1e-310 is no number any more.
    if (std::isfinite(means[e].lambda)) with->lambda = means[e].lambda;
    with->effective_labels = effective_labels(means[0].interval, estimate.interval, labels, n);
  }
}

std::optional<double> mean_of_metric(const std::vector<double>& scores,
                                     const std::vector<uint32_t>& rows) {
  if (rows.empty()) return std::nullopt;
  double sum = 0;
  for (const uint32_t row : rows) sum += scores[row];
  return sum / static_cast<double>(rows.size());
}

SystemEstimates system_estimates(const LabelledAnswers& answers, const LabelledPart& part,
                                 const Means& means, size_t predictors) {
  SystemEstimates system;
  system.lacking = part.lacking.value_or("");
  system.n = std::ssize(part.sample.records);
  system.questions = static_cast<int64_t>(part.questions);
  system.labels = std::ssize(part.sample.labels);
  system.labelled_questions = static_cast<int64_t>(part.labelled_questions);
  for (const std::vector<double>& scores : answers.scores) {
    system.metric_alone.push_back(mean_of_metric(scores, part.sample.records));
  }
  system.with.resize(predictors);
  add_estimates(means, system.labels, system.n, system);
  return system;
}

// Beside the estimates, how their errors come about.
template <class Estimates>
void add_influences(const Means& means, Estimates& estimates, std::vector<Influenced>& influenced) {
  for (size_t e = 0; e < means.size(); ++e) {
    influenced.emplace_back(e == 0 ? &estimates.labels_alone : &estimates.with[e - 1],
                            means[e].influences);
  }
}

bool has_all_labels(const LabelledPart& part) {
  return !part.lacking && part.sample.labels.size() == part.sample.records.size();
}

// A system's labels in a group; nothing if something is lacking.
std::vector<std::optional<stats::LabelDraw>> draws_of(const std::vector<LabelledPart>& parts) {
  std::vector<std::optional<stats::LabelDraw>> draws(parts.size());
  for (size_t s = 0; s < parts.size(); ++s) {
    if (!parts[s].lacking) draws[s] = stats::draw_of(parts[s].sample);
  }
  return draws;
}

void add_systems_and_pairs(const LabelledAnswers& answers, const Predictors& predictors,
                           const std::vector<LabelledPart>& parts,
                           const stats::BootstrapOptions& options, GroupEstimates& estimates) {
  const std::vector<std::optional<stats::LabelDraw>> draws = draws_of(parts);
  const size_t metrics = answers.metrics.size();
  std::vector<Means> system_means(parts.size()), pair_means;
  for (size_t s = 0; s < parts.size(); ++s) {
    if (draws[s]) system_means[s] = means_of(*draws[s], predictors, metrics);
    estimates.systems.push_back(
        system_estimates(answers, parts[s], system_means[s], predictors.size()));
  }
  for (size_t a = 0; a < parts.size(); ++a) {
    for (size_t b = a + 1; b < parts.size(); ++b) {
      end_if_stop_requested();
      EstimatedDifference& pair = estimates.differences.emplace_back();
      pair.first = a;
      pair.second = b;
      pair.with.resize(predictors.size());
      pair_means.emplace_back();
      if (!draws[a] || !draws[b]) continue;
      pair.is_exact = has_all_labels(parts[a]) && has_all_labels(parts[b]);
      pair_means.back() = means_of(stats::difference_of(*draws[a], *draws[b]), predictors, metrics);
      // The fewer labels are what limits the difference.
      const size_t less = estimates.systems[b].labels < estimates.systems[a].labels ? b : a;
      add_estimates(pair_means.back(), estimates.systems[less].labels, estimates.systems[less].n,
                    pair);
      if (pair.is_exact) continue;
      pair.labels_alone->p = pair_means.back()[0].p;
      for (size_t p = 0; p < predictors.size(); ++p) pair.with[p]->p = pair_means.back()[p + 1].p;
    }
  }
  std::vector<Influenced> influenced;
  for (size_t s = 0; s < parts.size(); ++s) {
    add_influences(system_means[s], estimates.systems[s], influenced);
  }
  for (size_t i = 0; i < pair_means.size(); ++i) {
    add_influences(pair_means[i], estimates.differences[i], influenced);
  }
  add_bootstrap(influenced, options);
}

// On Fisher's scale, where the error does not depend on the correlation.
stats::Interval fisher_interval(const stats::PoweredMean& correlation) {
  return {std::atanh(correlation.interval.low), std::atanh(correlation.interval.high)};
}

std::vector<EstimatedCorrelation> correlations_of(const LabelledAnswers& answers,
                                                  const LabelledPart& part) {
  std::vector<EstimatedCorrelation> correlations(answers.metrics.size());
  if (part.lacking) return correlations;
  const stats::LabelDraw draw = stats::draw_of(part.sample);
  for (size_t m = 0; m < correlations.size(); ++m) {
    const auto alone = stats::powered_correlation(draw, answers.scores[m], stats::Slope::none);
    if (!alone) continue;
    correlations[m].labels_alone = estimate_of(*alone);
    const auto both = stats::powered_correlation(draw, answers.scores[m], stats::Slope::tuned);
    if (!both) continue;
    correlations[m].corrected = estimate_of(*both);
    correlations[m].corrected->effective_labels =
        effective_labels(fisher_interval(*alone), fisher_interval(*both),
                         std::ssize(part.sample.labels), std::ssize(part.sample.records));
  }
  return correlations;
}

std::string system_prefix(const std::string& name) {
  return name.empty() ? "" : name + ": ";
}

GroupEstimates estimate_group(const LabelledAnswers& answers, const Predictors& predictors,
                              const Group& group, const std::vector<LabelledPart>& parts,
                              const stats::BootstrapOptions& options) {
  GroupEstimates estimates;
  estimates.name = group.name;
  add_systems_and_pairs(answers, predictors, parts, options, estimates);
  const LabelledPart pooled = part_of_systems(answers, parts);
  estimates.correlations = correlations_of(answers, pooled);
  estimates.lacking = pooled.lacking.value_or("");
  estimates.lacks_systems = !pooled.lacking && pooled.sample.records.size() < group.members.size();
  return estimates;
}

// Unequal weights or strata make labels count for less.
std::optional<std::string> warning_of(const LabelledPart& part) {
  const auto count = static_cast<int64_t>(stats::draw_of(part.sample).freedom + 1.5);
  const auto questions = static_cast<int64_t>(part.labelled_questions);
  if (std::min(count, questions) >= kFewQuestions) return std::nullopt;
  std::string text =
      counted(std::ssize(part.sample.labels), "label") + " of " + counted(questions, "question");
  if (count < questions) {
    const bool has_strata = !part.sample.strata.empty();
    text += (questions == 1 ? " counts for " : " count for ") + std::to_string(count) +
            (has_strata ? " because some strata have few for their size"
                        : " because their probabilities differ");
  }
  return text + ": below " + std::to_string(kFewQuestions) +
         " labelled questions, 95% intervals may miss the true mean more often than once in 20";
}

}  // namespace

void check_systems(const LabelledAnswers& answers, const std::vector<LabelledPart>& parts,
                   std::vector<std::string>& warnings) {
  std::vector<std::string> lacking;
  for (size_t s = 0; s < parts.size(); ++s) {
    const std::string prefix = system_prefix(answers.system_names[s]);
    if (parts[s].lacking) {
      lacking.push_back(prefix + *parts[s].lacking);
    } else if (const std::optional<std::string> warning = warning_of(parts[s])) {
      warnings.push_back(prefix + *warning);
    }
  }
  const std::string alike =
      std::string(", with labels that are not all equal") +
      (answers.strata.empty() ? "" : " and, in each stratum, of two questions or more");
  constexpr size_t kFewestSystems = 2;  // of several, or there is nothing to compare
  if (parts.size() - lacking.size() >= std::min(parts.size(), kFewestSystems)) {
    for (size_t p = 0; p < parts.size(); ++p) {
      if (!parts[p].lacking) continue;
      warnings.push_back(answers.system_names[p] + " has no estimate, with " + *parts[p].lacking +
                         "; it takes " + std::to_string(kFewestLabels) + alike);
    }
    return;
  }
  const auto can = std::ranges::find_if(parts, [](const auto& part) { return !part.lacking; });
  throw InputError(
      (can == parts.end() ? "no mean can be estimated: "
                          : "of " + std::to_string(parts.size()) + " systems only " +
                                answers.system_names[static_cast<size_t>(can - parts.begin())] +
                                " can be estimated: ") +
          join_some(lacking) +
          (answers.left_out == 0 ? ""
                                 : "; " + counted(answers.left_out, "label is", "labels are") +
                                       " left out with their answers"),
      "",
      "label at least " + std::to_string(kFewestLabels) + " answers of each system" + alike +
          ", drawn at random; or leave out the rows of such a system");
}

// Adds, for each part of a metric's scores from which `choose --method score` draws, whether an
// answer is in it: such a sheet may have many of its middle and the same mean and variance.
void add_strata_of_scores(const std::vector<double>& scores, const std::string& metric,
                          std::vector<std::vector<double>>& series,
                          std::vector<std::string>& names) {
  const std::vector<double> ends = ends_of_strata(scores);
  for (size_t h = 0; h <= ends.size() && !ends.empty(); ++h) {
    std::vector<double>& is_in = series.emplace_back();
    for (const double score : scores) {
      is_in.push_back((h == 0 || score >= ends[h - 1]) && (h == ends.size() || score < ends[h]));
    }
    const std::string low = h == 0 ? "" : format_significant(ends[h - 1], 3);
    const std::string high = h == ends.size() ? "" : format_significant(ends[h], 3);
    names.push_back("the share with " + metric +
                    (low.empty()    ? " below " + high
                     : high.empty() ? " from " + low + " on"
                                    : " from " + low + " to " + high));
  }
}

bool check_draw(const LabelledAnswers& answers, uint64_t seed, std::vector<std::string>& warnings) {
  if (answers.is_sheet || !answers.probabilities.empty()) return true;
  // Sheets of `choose --method disagreement` hardly differ in the metrics themselves.
  std::vector<std::vector<double>> series = answers.scores;
  std::vector<std::string> names = answers.metrics;
  if (series.size() > 1) {
    series.push_back(rank_disagreement(answers.scores));
    names.emplace_back("the metrics' disagreement in ranks");
  }
  const auto unlikely_in = [&] {
    return stats::unlike_random_draws(
        {series, answers.systems, answers.strata, answers.questions, answers.labelled}, seed);
  };
  std::vector<stats::UnlikelyStatistic> unlikely = unlikely_in();
  const bool are_shares = unlikely.empty();
  if (are_shares) {
    series.clear();
    names.clear();
    for (size_t m = 0; m < answers.metrics.size(); ++m) {
      add_strata_of_scores(answers.scores[m], answers.metrics[m], series, names);
    }
    if (!series.empty()) unlikely = unlikely_in();
    std::erase_if(unlikely, [](const auto& each) { return each.is_variance; });  // of the share
  }
  if (unlikely.empty()) return true;
  std::vector<std::string> systems, statistics;
  for (const stats::UnlikelyStatistic& each : unlikely) {
    const std::string& system = answers.system_names[each.part];
    systems.push_back(system);
    const std::string statistic = std::string(each.is_variance ? "variance" : "mean") + " of ";
    statistics.push_back(
        (are_shares ? "" : "the " + statistic) + names[each.series] + " is " +
        format_significant(each.of_labels, 3) + " in the " +
        counted(each.labels, "answer", "answers") + (unlikely.size() > 1 ? " of " + system : "") +
        (each.labels == 1 ? " with a label" : " with labels") + " and " +
        format_significant(each.of_all, 3) + " in all " + std::to_string(each.records));
  }
  warnings.push_back(
      system_prefix(join_some(systems)) + "the labels are no random draw: " +
      join_some(statistics, "; ") + ", and none of " + std::to_string(stats::kRandomDraws) +
      " random draws of labels is as far off. Estimates and intervals are wrong, unless --strata "
      "or --probability says how they were drawn; `rubric choose` draws answers to label");
  return false;
}

void check_metrics(const LabelledAnswers& answers, const std::vector<LabelledPart>& parts,
                   std::vector<std::string>& notes) {
  for (size_t m = 0; m < answers.metrics.size(); ++m) {
    const std::string& metric = answers.metrics[m];
    if (metric == kCombination && answers.metrics.size() > 1) {
      throw InputError("a metric is called " + metric, "--metric",
                       "give it another name: this is that of what combines several metrics");
    }
    for (size_t s = 0; s < parts.size(); ++s) {
      if (parts[s].lacking) continue;
      std::vector<double> scores;
      for (const uint32_t row : parts[s].sample.records) {
        scores.push_back(answers.scores[m][row]);
        if (scores.back() != scores.front()) break;
      }
      if (!stats::is_constant(scores)) continue;
      notes.push_back(system_prefix(answers.system_names[s]) + metric +
                      " is the same for all answers and adds nothing to labels");
    }
  }
}

Predictors predictors_of(const LabelledAnswers& answers, const std::vector<LabelledPart>& parts) {
  Predictors predictors = answers.scores;
  if (predictors.size() < 2) return predictors;
  std::vector<double> combined(answers.systems.size());
  for (const LabelledPart& part : parts) {
    if (part.lacking) continue;
    const stats::LabelledSample& sample = part.sample;
    std::vector<std::vector<double>> scores(answers.scores.size());
    for (size_t m = 0; m < scores.size(); ++m) {
      for (const uint32_t row : sample.records) scores[m].push_back(answers.scores[m][row]);
    }
    const std::vector<double> of_system = stats::cross_fitted(
        scores, sample.labelled, sample.labels, {sample.clusters, part.questions});
    for (size_t i = 0; i < of_system.size(); ++i) combined[sample.records[i]] = of_system[i];
  }
  predictors.push_back(std::move(combined));
  return predictors;
}

namespace {

// Labels the wrong way round, such as 1 for the worst.
void note_reversed_labels(const Estimates& result, std::vector<std::string>& notes) {
  const std::vector<EstimatedCorrelation>& correlations = result.groups.front().correlations;
  const auto is_negative = [](const EstimatedCorrelation& correlation) {
    const auto& estimate = correlation.corrected;
    return estimate && estimate->interval.high < 0;
  };
  if (!std::ranges::all_of(correlations, is_negative)) return;
  if (!metrics::direction_note(result.metrics).empty()) return;  // which says why
  notes.push_back(reversed_note(result.metrics));
}

// Of labels of which nearly all are equal, or a metric that is right about nearly all answers. Such
// intervals hold the mean often enough, as they are wide for it.
void note_few_degrees(const Estimates& result, std::vector<std::string>& notes) {
  constexpr double kFewDegrees = 5;
  const std::vector<SystemEstimates>& systems = result.groups.front().systems;
  std::vector<std::string> few;
  for (size_t s = 0; s < systems.size(); ++s) {
    const SystemEstimates& system = systems[s];
    if (!system.labels_alone || system.labelled_questions < kFewQuestions) continue;
    double least = system.labels_alone->freedom;
    std::string source = "labels alone";
    for (size_t p = 0; p < system.with.size(); ++p) {
      if (system.with[p]->freedom >= least) continue;
      least = system.with[p]->freedom;
      source = "labels and " + result.predictors[p];
    }
    if (least >= kFewDegrees || system.labels_alone->standard_error == 0) continue;
    few.push_back(system_prefix(result.systems[s]) + source + ", " + format_significant(least, 2) +
                  " in place of " + std::to_string(system.labelled_questions - 1));
  }
  if (few.empty()) return;
  notes.push_back(
      "nearly all of the error comes from a few labels. An interval is wide for it: Student's t "
      "has few degrees of freedom (" +
      join_some(few, "; ") + "). More labels narrow it");
}

// Where labels cannot lie: outside the scale that the user gives or, of labels 0 and 1, outside
// these. The least and the largest of other labels bound no mean: answers without a label may lie
// beyond.
std::optional<Interval> known_range(const LabelledAnswers& answers) {
  if (answers.scale) return answers.scale;
  const auto is_yes_or_no = [](double label) { return label == 0 || label == 1; };
  if (!std::ranges::all_of(answers.labels, is_yes_or_no)) return std::nullopt;
  return Interval{0, 1};
}

// Student's t knows no bounds.
void note_intervals_outside(const Estimates& result, const LabelledAnswers& answers,
                            std::vector<std::string>& notes) {
  const std::optional<Interval> range = known_range(answers);
  if (!range) return;
  const auto [low, high] = *range;
  bool is_outside = false;
  const auto look_at = [&](const std::optional<Estimate>& estimate) {
    if (!estimate) return;
    const auto [from, to] = estimate->interval;
    is_outside |= !stats::is_on_scale(from, *range) || !stats::is_on_scale(to, *range);
  };
  for (const GroupEstimates& group : result.groups) {
    for (const SystemEstimates& system : group.systems) {
      look_at(system.labels_alone);
      std::ranges::for_each(system.with, look_at);
    }
  }
  if (!is_outside) return;
  notes.push_back("an interval reaches beyond what labels can be, " + format_exact(low) + " to " +
                  format_exact(high) + ": read it as ending there");
}

}  // namespace

Estimates estimate(const LabelledAnswers& answers, const std::string& human,
                   const stats::BootstrapOptions& options) {
  Estimates result;
  result.human = human;
  result.metrics = result.predictors = answers.metrics;
  if (answers.metrics.size() > 1) result.predictors.emplace_back(kCombination);
  result.systems = answers.system_names;
  result.notes = answers.notes;
  Group all{"", std::vector<size_t>(answers.systems.size())};
  std::iota(all.members.begin(), all.members.end(), size_t{0});
  const std::vector<LabelledPart> parts = parts_of_systems(answers, all.members);
  if (std::ranges::all_of(parts, has_all_labels)) {
    result.warnings.emplace_back(
        "every answer has a label, so nothing is estimated: means and differences are exact for "
        "these answers. Whether they hold for other questions, rubric compare tests; for "
        "correlations use rubric evaluate agreement");
  } else {
    check_systems(answers, parts, result.warnings);
    result.is_draw = check_draw(answers, options.seed, result.warnings);
  }
  check_metrics(answers, parts, result.notes);
  const Predictors predictors = predictors_of(answers, parts);
  result.groups.push_back(estimate_group(answers, predictors, all, parts, options));
  if (!answers.groups.empty()) {
    for (const Group& group :
         group_by(answers.groups.size(), [&](size_t i) { return answers.groups[i]; })) {
      end_if_stop_requested();
      result.groups.push_back(estimate_group(answers, predictors, group,
                                             parts_of_systems(answers, group.members), options));
    }
  }
  note_few_degrees(result, result.notes);
  result.notes.push_back(metrics::direction_note(answers.metrics));
  note_reversed_labels(result, result.notes);
  note_intervals_outside(result, answers, result.notes);
  std::erase(result.notes, "");
  return result;
}

}  // namespace rubric::eval
