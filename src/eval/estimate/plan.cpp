#include "eval/estimate/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "eval/estimate/parts.h"
#include "eval/report/table.h"
#include "stats/correlation.h"
#include "stats/label_planning.h"

namespace rubric::eval {
namespace {

// The labelled questions of some parts, numbered anew, with what each stands for.
struct PilotQuestions {
  std::map<uint32_t, size_t> numbers;  // by question
  std::vector<double> weights;
  double population = 0;
};

PilotQuestions questions_of(const std::vector<const LabelledPart*>& parts) {
  PilotQuestions pilot;
  std::set<uint32_t> all;
  for (const LabelledPart* const part : parts) {
    all.insert(part->sample.clusters.begin(), part->sample.clusters.end());
    for (const uint32_t record : part->sample.labelled) {
      pilot.numbers.emplace(part->sample.cluster(record), 0);
    }
  }
  pilot.population = static_cast<double>(all.size());
  for (auto& [question, number] : pilot.numbers) {
    number = pilot.weights.size();
    pilot.weights.push_back(0);
  }
  std::vector<double> labels(pilot.weights.size());
  for (const LabelledPart* const part : parts) {
    const stats::LabelDraw draw = stats::draw_of(part->sample);
    const std::vector<double>& weights = draw.sides.front().weights;
    for (size_t l = 0; l < weights.size(); ++l) {
      const size_t question = pilot.numbers.at(part->sample.cluster(part->sample.labelled[l]));
      pilot.weights[question] += weights[l] * static_cast<double>(weights.size());
      labels[question] += 1;
    }
  }
  double sum = 0;
  for (size_t q = 0; q < labels.size(); ++q) sum += pilot.weights[q] /= labels[q];
  for (double& weight : pilot.weights) weight /= sum;
  return pilot;
}

// Of one system, by question: sums of labels and of predictions, and how many labels there are.
struct PilotSums {
  std::vector<double> labels, counts;
  std::vector<std::vector<double>> predictions;  // [predictor]
};

double dot(const std::vector<double>& weights, const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
}

PilotSums sums_of(const LabelledPart& part, const Predictors& predictors,
                  const PilotQuestions& pilot) {
  const std::vector<double> none(pilot.weights.size());
  PilotSums sums{none, none, {predictors.size(), none}};
  // Deviations from one prediction are 0 where all are the same but for rounding, which sums of
  // these would not be.
  constexpr double kRounding = 1e-10;
  const auto deviation = [&](const std::vector<double>& predictions, uint32_t record) {
    const double first = predictions[part.sample.records[part.sample.labelled.front()]];
    const double value = predictions[part.sample.records[record]] - first;
    return std::abs(value) > kRounding * std::abs(first) ? value : 0;
  };
  for (size_t l = 0; l < part.sample.labels.size(); ++l) {
    const uint32_t record = part.sample.labelled[l];
    const size_t question = pilot.numbers.at(part.sample.cluster(record));
    sums.labels[question] += part.sample.labels[l];
    sums.counts[question] += 1;
    for (size_t p = 0; p < predictors.size(); ++p) {
      sums.predictions[p][question] += deviation(predictors[p], record);
    }
  }
  return sums;
}

// The mean of one system, or the difference of two.
stats::PlannedStatistic statistic_of(const std::vector<const LabelledPart*>& parts,
                                     const Predictors& predictors, size_t metrics) {
  const PilotQuestions pilot = questions_of(parts);
  stats::LinearEstimate alone{0, std::vector<double>(pilot.weights.size()), {}};
  std::vector<stats::LinearEstimate> with(predictors.size(), alone);
  for (stats::LinearEstimate& estimate : with) estimate.control = alone.influence;
  // What a question adds to a mean's error: its sum of deviations from the mean, over the labels.
  const auto add_errors = [&](const std::vector<double>& sums, const std::vector<double>& counts,
                              double sign, std::vector<double>& errors) {
    const double count = dot(pilot.weights, counts), mean = dot(pilot.weights, sums) / count;
    for (size_t q = 0; q < sums.size(); ++q) {
      errors[q] += sign * (sums[q] - mean * counts[q]) / count;
    }
    return sign * mean;
  };
  for (size_t s = 0; s < parts.size(); ++s) {
    const PilotSums sums = sums_of(*parts[s], predictors, pilot);
    const double sign = s == 0 ? 1 : -1;
    alone.value += add_errors(sums.labels, sums.counts, sign, alone.influence);
    for (size_t p = 0; p < with.size(); ++p) {
      add_errors(sums.predictions[p], sums.counts, sign, with[p].control);
    }
  }
  stats::PlannedStatistic statistic{pilot.weights, {alone}};
  for (stats::LinearEstimate& estimate : with) {
    estimate.value = alone.value;
    estimate.influence = alone.influence;
    statistic.by_source.emplace_back(std::move(estimate));
  }
  if (predictors.size() > metrics) statistic.cut = 1 + metrics;
  statistic.population = pilot.population;
  return statistic;
}

// The correlation r of a metric with the labels of all systems, and of each label its influence on
// it.
struct PilotCorrelation {
  double r = 0;
  std::vector<double> scores;     // standardised, by label
  std::vector<double> influence;  // by label
  std::vector<size_t> questions;
  std::vector<double> weights;  // of the pilot's questions
  double labels = 0;            // weighted, of a question

  double mean(const auto& value) const {
    double sum = 0;
    for (size_t i = 0; i < questions.size(); ++i) sum += weights[questions[i]] * value(i);
    return sum / labels;
  }
};

std::optional<PilotCorrelation> pilot_correlation(const LabelledPart& all,
                                                  const PilotQuestions& pilot,
                                                  const std::vector<double>& scores) {
  constexpr double kLeast = 1e-24;  // less is rounding: all are equal
  PilotCorrelation result;
  result.weights = pilot.weights;
  for (const uint32_t record : all.sample.labelled) {
    result.scores.push_back(scores[all.sample.records[record]]);
    result.questions.push_back(pilot.numbers.at(all.sample.cluster(record)));
    result.labels += pilot.weights[result.questions.back()];
  }
  std::vector<double> labels = stats::deviations(all.sample.labels);
  result.scores = stats::deviations(result.scores);
  for (std::vector<double>* const values : {&result.scores, &labels}) {
    const double mean = result.mean([&](size_t i) { return (*values)[i]; });
    for (double& value : *values) value -= mean;
    const double variance = result.mean([&](size_t i) { return (*values)[i] * (*values)[i]; });
    if (!(variance > kLeast)) return std::nullopt;
    for (double& value : *values) value /= std::sqrt(variance);
  }
  const std::vector<double>& x = result.scores;
  result.r = result.mean([&](size_t i) { return x[i] * labels[i]; });
  for (size_t i = 0; i < x.size(); ++i) {
    const double squares = x[i] * x[i] + labels[i] * labels[i];
    result.influence.push_back(x[i] * labels[i] - result.r * squares / 2);
  }
  return result;
}

// On Fisher's scale. Its predictor are the squares of the standardised scores.
stats::PlannedStatistic correlation_statistic(const LabelledPart& all, const PilotQuestions& pilot,
                                              const std::vector<double>& scores) {
  constexpr double kLeast = 1e-12;
  stats::PlannedStatistic statistic{.weights = pilot.weights,
                                    .by_source = {std::nullopt, std::nullopt},
                                    .is_fisher = true,
                                    .population = pilot.population};
  const auto of = pilot_correlation(all, pilot, scores);
  if (!of || 1 - std::abs(of->r) < kLeast) return statistic;
  stats::LinearEstimate alone{std::atanh(of->r), std::vector<double>(pilot.weights.size()), {}};
  stats::LinearEstimate with{alone.value, {}, alone.influence};
  for (size_t i = 0; i < of->questions.size(); ++i) {
    const double square = of->scores[i] * of->scores[i] - 1;
    alone.influence[of->questions[i]] += of->influence[i] / (1 - of->r * of->r) / of->labels;
    if (std::abs(square) > kLeast) with.control[of->questions[i]] += square / of->labels;
  }
  with.influence = alone.influence;
  statistic.by_source = {alone, with};
  return statistic;
}

// Of two metrics' correlations with the label.
stats::PlannedStatistic correlation_difference(const LabelledPart& all, const PilotQuestions& pilot,
                                               const std::vector<double>& first,
                                               const std::vector<double>& second) {
  stats::PlannedStatistic statistic{
      .weights = pilot.weights, .by_source = {std::nullopt}, .population = pilot.population};
  const auto a = pilot_correlation(all, pilot, first), b = pilot_correlation(all, pilot, second);
  if (!a || !b) return statistic;
  stats::LinearEstimate estimate{a->r - b->r, std::vector<double>(pilot.weights.size()), {}};
  for (size_t i = 0; i < a->questions.size(); ++i) {
    estimate.influence[a->questions[i]] += (a->influence[i] - b->influence[i]) / a->labels;
  }
  statistic.by_source = {estimate};
  return statistic;
}

// A statistic, and what is known of it but its size.
struct Planned {
  PlannedLabels labels;
  stats::PlannedStatistic statistic;
};

double labels_of_questions(const std::vector<const LabelledPart*>& parts) {
  double labels = 0;
  for (const LabelledPart* const part : parts) {
    labels += static_cast<double>(part->sample.labels.size());
  }
  return labels / static_cast<double>(questions_of(parts).weights.size());
}

// Every mean and difference of means, then correlations and their differences.
std::vector<Planned> statistics_of(const LabelledAnswers& answers, const Predictors& predictors,
                                   const std::vector<LabelledPart>& parts,
                                   const LabelledPart& all) {
  std::vector<Planned> statistics;
  const size_t metrics = answers.metrics.size();
  const auto add_means = [&](size_t a, std::optional<size_t> b) {
    std::vector<const LabelledPart*> of = {&parts[a]};
    if (b) of.push_back(&parts[*b]);
    Planned& planned = statistics.emplace_back();
    planned.labels.kind = b ? PlannedKind::difference : PlannedKind::mean;
    planned.labels.first = answers.system_names[a];
    if (b) planned.labels.second = answers.system_names[*b];
    planned.labels.labels_per_question = labels_of_questions(of);
    planned.statistic = statistic_of(of, predictors, metrics);
  };
  std::vector<size_t> usable;
  for (size_t s = 0; s < parts.size(); ++s) {
    if (!parts[s].lacking) usable.push_back(s);
  }
  for (const size_t s : usable) add_means(s, std::nullopt);
  for (size_t a = 0; a < usable.size(); ++a) {
    for (size_t b = a + 1; b < usable.size(); ++b) add_means(usable[a], usable[b]);
  }
  if (all.lacking) return statistics;
  const PilotQuestions pilot = questions_of({&all});
  const auto add = [&](PlannedKind kind, size_t a, size_t b, stats::PlannedStatistic statistic) {
    Planned& planned = statistics.emplace_back();
    planned.labels.kind = kind;
    planned.labels.first = answers.metrics[a];
    if (a != b) planned.labels.second = answers.metrics[b];
    planned.labels.labels_per_question = labels_of_questions({&all});
    planned.statistic = std::move(statistic);
  };
  for (size_t a = 0; a < metrics; ++a) {
    add(PlannedKind::correlation, a, a, correlation_statistic(all, pilot, answers.scores[a]));
  }
  for (size_t a = 0; a < metrics; ++a) {
    for (size_t b = a + 1; b < metrics; ++b) {
      add(PlannedKind::correlation_difference, a, b,
          correlation_difference(all, pilot, answers.scores[a], answers.scores[b]));
    }
  }
  return statistics;
}

bool is_difference(const PlannedLabels& labels) {
  return labels.kind == PlannedKind::difference ||
         labels.kind == PlannedKind::correlation_difference;
}

// A plan for one system is of differences of correlations. A width is of means or correlations.
void check_sizes(const LabelledAnswers& answers, const PlanRequest& request) {
  const auto check = [](const char* option, const std::optional<double>& size, double largest,
                        const std::string& why) {
    if (!size || stats::is_on_scale(*size, {0, largest})) return;
    throw InputError(std::string(option) + " is " + format_exact(*size) + ", and " + why +
                         ": it can be " + format_exact(largest) + " at most",
                     option, "give a smaller one");
  };
  const auto [least, most] = std::ranges::minmax(answers.labels);
  const auto [low, high] = answers.scale.value_or(Interval{least, most});
  const std::string labels = "labels are from " + format_exact(low) + " to " + format_exact(high) +
                             (answers.scale ? "" : " (--scale may say more)");
  const bool is_of_means = answers.system_names.size() > 1;
  check("--difference", request.difference, is_of_means ? high - low : 2,
        is_of_means ? labels : "correlations are from -1 to 1");
  check("--width", request.width, std::max(high - low, 1.0), labels);
}

void check_aims(const LabelledAnswers& answers, const PlanRequest& request) {
  if (!request.difference || answers.system_names.size() > 1 || answers.metrics.size() > 1) return;
  throw InputError("one system and one metric leave no difference to find", "--difference",
                   "name the field of systems with --system, or two metrics; or plan with --width");
}

}  // namespace

LabelPlan plan(const LabelledAnswers& answers, const PlanRequest& request) {
  check_aims(answers, request);
  LabelPlan result;
  result.human = request.pilot.human;
  result.predictors = answers.metrics;
  if (answers.metrics.size() > 1) result.predictors.emplace_back(kCombination);
  result.difference = request.difference;
  result.width = request.width;
  result.population = request.population;
  result.answers_per_question =
      static_cast<double>(answers.systems.size()) / static_cast<double>(answers.questions.count);
  result.notes = answers.notes;
  std::vector<size_t> rows(answers.systems.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::vector<LabelledPart> parts = parts_of_systems(answers, rows);
  check_systems(answers, parts, result.warnings);
  check_draw(answers, request.pilot.bootstrap.seed, result.warnings);
  check_sizes(answers, request);
  check_metrics(answers, parts, result.notes);
  Predictors predictors = predictors_of(answers, parts);
  const LabelledPart all = part_of_systems(answers, parts);
  // So that no square of a label or score vanishes or overflows.
  const int exponent = stats::scaling_exponent(answers.labels);
  for (LabelledPart& part : parts) {
    part.sample.labels = stats::scaled_down(part.sample.labels, exponent);
  }
  for (size_t p = 0; p < predictors.size(); ++p) {
    const bool is_of_labels = p == answers.metrics.size();
    predictors[p] = stats::scaled_down(
        predictors[p], is_of_labels ? exponent : stats::scaling_exponent(predictors[p]));
  }
  const auto scaled = [&](const PlannedLabels& labels, double size) {
    const bool is_of_labels =
        labels.kind == PlannedKind::mean || labels.kind == PlannedKind::difference;
    return is_of_labels ? std::ldexp(size, -exponent) : size;
  };
  std::vector<Planned> statistics = statistics_of(answers, predictors, parts, all);
  std::vector<std::pair<Planned*, stats::PlanningAim>> aims;
  for (Planned& planned : statistics) {
    if (request.population > 0) {
      planned.statistic.population = static_cast<double>(request.population);
    }
    if (request.difference && is_difference(planned.labels)) {
      aims.push_back(
          {&planned,
           {stats::PlanningAim::Kind::difference, scaled(planned.labels, *request.difference)}});
    }
  }
  for (Planned& planned : statistics) {
    if (!request.width || planned.labels.kind == PlannedKind::correlation_difference) continue;
    aims.push_back(
        {&planned, {stats::PlanningAim::Kind::width, scaled(planned.labels, *request.width)}});
  }
  std::set<double> exhausted;  // populations all of whose questions some aim takes
  for (const auto& [planned, aim] : aims) {
    PlannedLabels labels = planned->labels;
    labels.finds_difference = aim.kind == stats::PlanningAim::Kind::difference;
    for (size_t source = 0; source < planned->statistic.by_source.size(); ++source) {
      const auto questions = stats::planned_questions(planned->statistic, source, aim);
      labels.questions.push_back(questions);
      if (questions && static_cast<double>(*questions) >= planned->statistic.population) {
        exhausted.insert(planned->statistic.population);
      }
    }
    result.planned.push_back(std::move(labels));
  }
  if (!exhausted.empty()) {
    result.warnings.push_back(
        format_exact(*exhausted.rbegin()) +
        " questions are all that there are: once all are labelled there is no sampling error, so "
        "that any aim is reached; --population plans for a draw from more questions");
  }
  return result;
}

}  // namespace rubric::eval
