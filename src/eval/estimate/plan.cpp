#include "eval/estimate/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "eval/estimate/parts.h"
#include "eval/report/table.h"
#include "stats/correlation.h"
#include "stats/label_planning.h"

namespace rubric::eval {
namespace {

using Weights = std::span<const double>;

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
  std::vector<double> means;                     // of predictions, over the pilot
};

double dot(Weights weights, const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
}

PilotSums sums_of(const LabelledPart& part, const Predictors& predictors,
                  const PilotQuestions& pilot) {
  const std::vector<double> none(pilot.weights.size());
  PilotSums sums{none, none, {predictors.size(), none}, {}};
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
  for (const std::vector<double>& of : sums.predictions) {
    sums.means.push_back(dot(pilot.weights, of) / dot(pilot.weights, sums.counts));
  }
  return sums;
}

// Adds a mean, or subtracts it with the sign -1. False: no label is among the questions.
bool add_mean(const PilotSums& sums, Weights weights, std::optional<size_t> predictor, double sign,
              stats::LinearEstimate& estimate) {
  const double count = dot(weights, sums.counts);
  if (count == 0) return false;
  const double mean = dot(weights, sums.labels) / count;
  estimate.value += sign * mean;
  for (size_t q = 0; q < weights.size(); ++q) {
    estimate.own[q] += sign * (sums.labels[q] - mean * sums.counts[q]) / count;
    if (!predictor) continue;
    const double other = sums.predictions[*predictor][q] - sums.means[*predictor] * sums.counts[q];
    estimate.other[q] += sign * other / count;
  }
  return true;
}

stats::LinearEstimate empty_estimate(size_t questions, bool is_predicted) {
  return {0, std::vector<double>(questions), std::vector<double>(is_predicted ? questions : 0)};
}

// The mean of one system, or the difference of two.
stats::PlannedFigure figure_of(const std::vector<const LabelledPart*>& parts,
                               const Predictors& predictors, size_t metrics) {
  const PilotQuestions pilot = questions_of(parts);
  auto sums = std::make_shared<std::vector<PilotSums>>();
  for (const LabelledPart* const part : parts) sums->push_back(sums_of(*part, predictors, pilot));
  stats::PlannedFigure figure;
  figure.at = [sums](Weights weights,
                     std::optional<size_t> predictor) -> std::optional<stats::LinearEstimate> {
    stats::LinearEstimate estimate = empty_estimate(weights.size(), predictor.has_value());
    for (size_t s = 0; s < sums->size(); ++s) {
      if (!add_mean((*sums)[s], weights, predictor, s == 0 ? 1 : -1, estimate)) return std::nullopt;
    }
    return estimate;
  };
  figure.weights = pilot.weights;
  figure.predictors = predictors.size();
  if (predictors.size() > metrics) figure.cut = metrics;
  figure.population = pilot.population;
  return figure;
}

// Labels with the scores of one metric, of the labelled answers of all systems.
struct PilotPairs {
  std::vector<double> scores, labels;  // as stats::deviations(), at most 1
  std::vector<size_t> questions;
  std::vector<double> weights;  // of the pilot's questions

  template <class Value>
  double mean(Weights by_question, const Value& value) const {
    double sum = 0, count = 0;
    for (size_t i = 0; i < scores.size(); ++i) {
      sum += by_question[questions[i]] * value(i);
      count += by_question[questions[i]];
    }
    return sum / count;
  }
};

// A correlation r, and of each answer its influence on it.
struct Correlated {
  double r = 0;
  double mean = 0, deviation = 0;  // of the scores
  std::vector<double> influence;
};

std::optional<Correlated> correlated(const PilotPairs& pairs, Weights weights) {
  constexpr double kLeast = 1e-24;  // less is rounding: all that were drawn are equal
  const auto x = [&](size_t i) { return pairs.scores[i]; };
  const auto y = [&](size_t i) { return pairs.labels[i]; };
  const double mean_x = pairs.mean(weights, x), mean_y = pairs.mean(weights, y);
  const auto square = [](double value) { return value * value; };
  const double of_x = pairs.mean(weights, [&](size_t i) { return square(x(i) - mean_x); });
  const double of_y = pairs.mean(weights, [&](size_t i) { return square(y(i) - mean_y); });
  if (!(of_x > kLeast) || !(of_y > kLeast)) return std::nullopt;
  Correlated result{0, mean_x, std::sqrt(of_x), {}};
  const auto a = [&](size_t i) { return (x(i) - mean_x) / result.deviation; };
  const auto b = [&](size_t i) { return (y(i) - mean_y) / std::sqrt(of_y); };
  result.r = pairs.mean(weights, [&](size_t i) { return a(i) * b(i); });
  for (size_t i = 0; i < pairs.scores.size(); ++i) {
    result.influence.push_back(a(i) * b(i) - result.r * (square(a(i)) + square(b(i))) / 2);
  }
  return result;
}

double per_question(const PilotPairs& pairs, Weights weights) {
  double count = 0;
  for (const size_t question : pairs.questions) count += weights[question];
  return count;
}

// On Fisher's scale. Its predictor 0 are the squares of the standardised scores.
std::optional<stats::LinearEstimate> fisher_at(const PilotPairs& pairs, Weights weights,
                                               bool is_predicted) {
  constexpr double kLeast = 1e-12;
  const std::optional<Correlated> of = correlated(pairs, weights);
  if (!of || 1 - std::abs(of->r) < kLeast) return std::nullopt;
  stats::LinearEstimate estimate = empty_estimate(weights.size(), is_predicted);
  estimate.value = std::atanh(of->r);
  const double count = per_question(pairs, weights);
  const auto square = [&](size_t i) {
    return std::pow((pairs.scores[i] - of->mean) / of->deviation, 2);
  };
  const double known = pairs.mean(pairs.weights, square);
  for (size_t i = 0; i < pairs.scores.size(); ++i) {
    const size_t question = pairs.questions[i];
    estimate.own[question] += of->influence[i] / (1 - of->r * of->r) / count;
    if (is_predicted) estimate.other[question] += (square(i) - known) / count;
  }
  return estimate;
}

std::shared_ptr<PilotPairs> pairs_of(const LabelledPart& all, const PilotQuestions& pilot,
                                     const std::vector<double>& scores) {
  auto pairs = std::make_shared<PilotPairs>();
  pairs->labels = stats::deviations(all.sample.labels);
  pairs->weights = pilot.weights;
  for (const uint32_t record : all.sample.labelled) {
    pairs->scores.push_back(scores[all.sample.records[record]]);
    pairs->questions.push_back(pilot.numbers.at(all.sample.cluster(record)));
  }
  pairs->scores = stats::deviations(pairs->scores);
  return pairs;
}

stats::PlannedFigure correlation_figure(const LabelledPart& all, const PilotQuestions& pilot,
                                        const std::vector<double>& scores) {
  const auto pairs = pairs_of(all, pilot, scores);
  return {[pairs](Weights weights, std::optional<size_t> predictor) {
            return fisher_at(*pairs, weights, predictor.has_value());
          },
          pilot.weights,
          1,
          {},
          true,
          pilot.population};
}

// Of two metrics' correlations with the label.
stats::PlannedFigure correlation_difference(const LabelledPart& all, const PilotQuestions& pilot,
                                            const std::vector<double>& first,
                                            const std::vector<double>& second) {
  const auto one = pairs_of(all, pilot, first), two = pairs_of(all, pilot, second);
  stats::PlannedFigure figure;
  figure.at = [one, two](Weights weights,
                         std::optional<size_t>) -> std::optional<stats::LinearEstimate> {
    const auto a = correlated(*one, weights), b = correlated(*two, weights);
    if (!a || !b) return std::nullopt;
    stats::LinearEstimate estimate = empty_estimate(weights.size(), false);
    estimate.value = a->r - b->r;
    const double count = per_question(*one, weights);
    for (size_t i = 0; i < one->questions.size(); ++i) {
      estimate.own[one->questions[i]] += (a->influence[i] - b->influence[i]) / count;
    }
    return estimate;
  };
  figure.weights = pilot.weights;
  figure.population = pilot.population;
  return figure;
}

// A figure, and what is known of it but its size.
struct Planned {
  PlannedLabels labels;
  stats::PlannedFigure figure;
};

double labels_of_questions(const std::vector<const LabelledPart*>& parts) {
  double labels = 0;
  for (const LabelledPart* const part : parts) {
    labels += static_cast<double>(part->sample.labels.size());
  }
  return labels / static_cast<double>(questions_of(parts).weights.size());
}

// Every mean and difference of means, then correlations and their differences.
std::vector<Planned> figures_of(const LabelledAnswers& answers, const Predictors& predictors,
                                const std::vector<LabelledPart>& parts, const LabelledPart& all) {
  std::vector<Planned> figures;
  const size_t metrics = answers.metrics.size();
  const auto add_means = [&](size_t a, std::optional<size_t> b) {
    std::vector<const LabelledPart*> of = {&parts[a]};
    if (b) of.push_back(&parts[*b]);
    Planned& planned = figures.emplace_back();
    planned.labels.kind = b ? PlannedKind::difference : PlannedKind::mean;
    planned.labels.first = answers.system_names[a];
    if (b) planned.labels.second = answers.system_names[*b];
    planned.labels.labels_per_question = labels_of_questions(of);
    planned.figure = figure_of(of, predictors, metrics);
  };
  std::vector<size_t> usable;
  for (size_t s = 0; s < parts.size(); ++s) {
    if (!parts[s].lacking) usable.push_back(s);
  }
  for (const size_t s : usable) add_means(s, std::nullopt);
  for (size_t a = 0; a < usable.size(); ++a) {
    for (size_t b = a + 1; b < usable.size(); ++b) add_means(usable[a], usable[b]);
  }
  if (all.lacking) return figures;
  const PilotQuestions pilot = questions_of({&all});
  const auto add = [&](PlannedKind kind, size_t a, size_t b, stats::PlannedFigure figure) {
    Planned& planned = figures.emplace_back();
    planned.labels.kind = kind;
    planned.labels.first = answers.metrics[a];
    if (a != b) planned.labels.second = answers.metrics[b];
    planned.labels.labels_per_question = labels_of_questions({&all});
    planned.figure = std::move(figure);
  };
  for (size_t a = 0; a < metrics; ++a) {
    add(PlannedKind::correlation, a, a, correlation_figure(all, pilot, answers.scores[a]));
  }
  for (size_t a = 0; a < metrics; ++a) {
    for (size_t b = a + 1; b < metrics; ++b) {
      add(PlannedKind::correlation_difference, a, b,
          correlation_difference(all, pilot, answers.scores[a], answers.scores[b]));
    }
  }
  return figures;
}

PlannedQuestions planned_questions(const stats::PlannedFigure& figure,
                                   std::optional<size_t> predictor, const stats::PlanningAim& aim,
                                   const stats::SimulationOptions& options) {
  PlannedQuestions questions;
  questions.by_formula = stats::planned_by_formula(figure, predictor, aim);
  if (!questions.by_formula) return questions;
  questions.by_simulation =
      stats::planned_by_simulation(figure, predictor, aim, *questions.by_formula, options);
  return questions;
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

// Whether some number is that of all questions.
bool takes_all(const PlannedLabels& planned, double population) {
  const auto is_all = [&](const PlannedQuestions& questions) {
    const std::optional<int64_t> count =
        questions.by_simulation ? questions.by_simulation : questions.by_formula;
    return count && static_cast<double>(*count) >= population;
  };
  return is_all(planned.labels_alone) || std::ranges::any_of(planned.with, is_all);
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
  check_draw(answers, request.seed, result.warnings);
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
  std::vector<Planned> figures = figures_of(answers, predictors, parts, all);
  std::vector<std::pair<Planned*, stats::PlanningAim>> aims;
  for (Planned& planned : figures) {
    if (request.population > 0) {
      planned.figure.population = static_cast<double>(request.population);
    }
    if (request.difference && is_difference(planned.labels)) {
      aims.push_back(
          {&planned,
           {stats::PlanningAim::Kind::difference, scaled(planned.labels, *request.difference)}});
    }
  }
  for (Planned& planned : figures) {
    if (!request.width || planned.labels.kind == PlannedKind::correlation_difference) continue;
    aims.push_back(
        {&planned, {stats::PlanningAim::Kind::width, scaled(planned.labels, *request.width)}});
  }
  std::set<double> exhausted;  // populations all of whose questions some aim takes
  Progress progress("planning", std::ssize(aims));
  for (const auto& [planned, aim] : aims) {
    PlannedLabels labels = planned->labels;
    labels.finds_difference = aim.kind == stats::PlanningAim::Kind::difference;
    const stats::SimulationOptions options{request.simulations, request.seed};
    labels.labels_alone = planned_questions(planned->figure, std::nullopt, aim, options);
    for (size_t p = 0; p < planned->figure.predictors; ++p) {
      labels.with.push_back(planned_questions(planned->figure, p, aim, options));
    }
    if (takes_all(labels, planned->figure.population)) {
      exhausted.insert(planned->figure.population);
    }
    result.planned.push_back(std::move(labels));
    progress.add(1);
  }
  progress.finish();
  if (!exhausted.empty()) {
    result.warnings.push_back(
        format_exact(*exhausted.rbegin()) +
        " questions are all that there are: once all are labelled there is no sampling error, so "
        "that any aim is reached; --population plans for a draw from more questions");
  }
  return result;
}

}  // namespace rubric::eval
