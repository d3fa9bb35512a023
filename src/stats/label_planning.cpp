#include "stats/label_planning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "core/context.h"
#include "core/random.h"
#include "core/system/parallel.h"
#include "stats/prediction_powered.h"

namespace rubric::stats {
namespace {

// The estimate with its slope, of questions each of which was drawn weights * n times.
struct Fitted {
  double value = 0;     // with the predictor
  double variance = 0;  // of a question's error
  double kurtosis = 0;  // of the errors
  double slopes = 0;    // how many were fitted

  // Of the variance that n questions give.
  double freedom(double n) const {
    return std::max(std::min(n - 1 - slopes, freedom_by_kurtosis(n, kurtosis)), 1.0);
  }
};

double weighted(std::span<const double> weights, std::span<const double> x,
                std::span<const double> y) {
  double sum = 0;
  for (size_t q = 0; q < weights.size(); ++q) sum += weights[q] * x[q] * y[q];
  return sum;
}

// The slope that makes the variance least; 0 where it would rest on one question. `square`: the
// mean square of estimate.other before its mean was taken off.
double slope_of(std::span<const double> weights, const LinearEstimate& estimate, double questions,
                double square, bool is_cut) {
  constexpr double kMostLeverage = 0.5, kRounding = 1e-20;
  const double variance = weighted(weights, estimate.other, estimate.other);
  double most = 0;
  for (size_t q = 0; q < weights.size(); ++q) {
    if (weights[q] > 0) most = std::max(most, estimate.other[q] * estimate.other[q] / questions);
  }
  if (variance <= kRounding * square || most > kMostLeverage * variance) return 0;
  const double slope = weighted(weights, estimate.own, estimate.other) / variance;
  return is_cut ? std::clamp(slope, 0.0, 1.0) : slope;
}

std::optional<Fitted> fit_at(const PlannedFigure& figure, std::span<const double> weights,
                             std::optional<size_t> predictor, double questions) {
  std::optional<LinearEstimate> estimate = figure.at(weights, predictor);
  if (!estimate) return std::nullopt;
  Fitted fitted{estimate->value};
  std::vector<double>& errors = estimate->own;
  const double of_own = weighted(weights, errors, errors);
  if (predictor) {
    const double gap =
        std::inner_product(weights.begin(), weights.end(), estimate->other.begin(), 0.0);
    const double square = weighted(weights, estimate->other, estimate->other);
    for (double& other : estimate->other) other -= gap;
    const double slope = slope_of(weights, *estimate, questions, square, predictor == figure.cut);
    fitted.value -= slope * gap;
    fitted.slopes = slope == 0 ? 0 : 1;
    for (size_t q = 0; q < errors.size(); ++q) errors[q] -= slope * estimate->other[q];
  }
  for (double& error : errors) error *= error;
  double square = std::inner_product(weights.begin(), weights.end(), errors.begin(), 0.0);
  double fourth = weighted(weights, errors, errors);
  if (fitted.slopes > 0 && square <= kExactFit * of_own) {  // as powered_mean() takes it
    square = of_own / questions;
    fourth = questions * square * square;
  }
  fitted.variance = square * questions / (questions - 1 - fitted.slopes);
  if (square > 0) fitted.kurtosis = fourth / (square * square);
  return fitted;
}

double half_width(const PlannedFigure& figure, double value, double half) {
  if (!figure.is_fisher) return half;
  return (std::tanh(value + half) - std::tanh(value - half)) / 2;
}

// The variance of a mean of n of the population, as a share of that of one question.
double share_of(double n, double population) {
  return std::max(1 / n - 1 / population, 0.0);
}

double quantile(double freedom) {
  return boost::math::quantile(boost::math::students_t(freedom), 0.975);
}

bool formula_reaches(const PlannedFigure& figure, const Fitted& pilot, const PlanningAim& aim,
                     double n) {
  const double error = std::sqrt(pilot.variance * share_of(n, figure.population));
  const double freedom = pilot.freedom(n), t = quantile(freedom);
  if (aim.kind == PlanningAim::Kind::width) {
    return half_width(figure, pilot.value, t * error) <= aim.size;
  }
  constexpr double kCertain = 30;  // standard errors
  if (error == 0 || aim.size / error > kCertain) return true;
  const boost::math::non_central_t distribution(freedom, aim.size / error);
  return boost::math::cdf(boost::math::complement(distribution, t)) >= kPlannedPower;
}

// Draws questions in proportion to weights (Walker 1977; Vose 1991).
class Alias {
 public:
  explicit Alias(std::span<const double> weights)
      : threshold_(weights.size(), 1), other_(weights.size()) {
    std::vector<double> scaled;
    std::vector<size_t> small, large;
    for (size_t q = 0; q < weights.size(); ++q) {
      scaled.push_back(weights[q] * static_cast<double>(weights.size()));
      other_[q] = static_cast<uint32_t>(q);
      (scaled[q] < 1 ? small : large).push_back(q);
    }
    while (!small.empty() && !large.empty()) {
      const size_t few = small.back(), many = large.back();
      small.pop_back();
      threshold_[few] = scaled[few];
      other_[few] = static_cast<uint32_t>(many);
      scaled[many] -= 1 - scaled[few];
      if (scaled[many] >= 1) continue;
      large.pop_back();
      small.push_back(many);
    }
  }

  size_t draw(uint64_t bits) const {
    const uint64_t question = below(bits, threshold_.size());
    return uniform(mix(bits)) < threshold_[question] ? question : other_[question];
  }

 private:
  std::vector<double> threshold_;
  std::vector<uint32_t> other_;
};

struct Simulation {
  const PlannedFigure& figure;
  std::optional<size_t> predictor;
  const PlanningAim& aim;
  const SimulationOptions& options;
  double truth;
  Alias alias;

  // Of one draw of n: whether the difference is found, or half of the interval's width.
  std::optional<double> outcome(size_t simulation, int64_t n) const {
    std::vector<double> weights(figure.weights.size());
    const auto questions = static_cast<double>(n);
    const uint64_t key = random_bits(options.seed, Purpose::planning, simulation);
    for (int64_t i = 0; i < n; ++i) {
      weights[alias.draw(mix(key + static_cast<uint64_t>(i)))] += 1 / questions;
    }
    const std::optional<Fitted> fitted = fit_at(figure, weights, predictor, questions);
    if (!fitted) return std::nullopt;
    const double share = share_of(questions, figure.population) * questions;
    const double half =
        quantile(fitted->freedom(questions)) * std::sqrt(fitted->variance * share / questions);
    if (aim.kind == PlanningAim::Kind::width) return half_width(figure, fitted->value, half);
    const double error = (fitted->value - truth) * std::sqrt(share);
    return error + aim.size > half ? 1.0 : 0.0;
  }

  // nullopt if most draws have no estimate.
  std::optional<bool> reaches(int64_t n) const {
    const auto count = static_cast<size_t>(options.simulations);
    std::vector<std::optional<double>> outcomes(count);
    parallel_for(count, count * static_cast<size_t>(n), [&](size_t first, size_t end) {
      for (size_t s = first; s < end; ++s) {
        end_if_stop_requested();
        outcomes[s] = outcome(s, n);
      }
    });
    double sum = 0, defined = 0;
    for (const std::optional<double>& each : outcomes) {
      sum += each.value_or(0);
      defined += each ? 1 : 0;
    }
    if (defined < static_cast<double>(count) / 2) return std::nullopt;
    const double mean = sum / defined;
    return aim.kind == PlanningAim::Kind::width ? mean <= aim.size : mean >= kPlannedPower;
  }
};

}  // namespace

std::optional<int64_t> planned_by_formula(const PlannedFigure& figure,
                                          std::optional<size_t> predictor, const PlanningAim& aim) {
  double squares = 0;
  for (const double weight : figure.weights) squares += weight * weight;
  const std::optional<Fitted> pilot = fit_at(figure, figure.weights, predictor, 1 / squares);
  if (!pilot) return std::nullopt;
  int64_t low = kFewestPlanned;
  int64_t high = std::max(low, static_cast<int64_t>(figure.population));
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (formula_reaches(figure, *pilot, aim, static_cast<double>(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

std::optional<int64_t> planned_by_simulation(const PlannedFigure& figure,
                                             std::optional<size_t> predictor,
                                             const PlanningAim& aim, int64_t start,
                                             const SimulationOptions& options) {
  constexpr double kStep = 1.3, kPrecision = 0.01;
  const auto all = static_cast<int64_t>(figure.population);
  const std::optional<Fitted> pilot = fit_at(figure, figure.weights, std::nullopt, 2);
  if (!pilot) return std::nullopt;
  const Simulation simulation{figure, predictor, aim, options, pilot->value, Alias(figure.weights)};
  // All of the population leave no error.
  const auto reaches = [&](int64_t n) {
    return n >= all ? std::optional(true) : simulation.reaches(n);
  };
  const auto scaled = [&](int64_t n, double factor) {
    return std::clamp(static_cast<int64_t>(std::lround(static_cast<double>(n) * factor)),
                      kFewestPlanned, std::max(all, kFewestPlanned));
  };
  int64_t low = scaled(start, 1), high = low;
  std::optional<bool> found = reaches(low);
  while (found && !*found) {  // the least that reaches lies above `low`
    low = high;
    high = std::max(high + 1, scaled(high, kStep));
    if (high > kMostSimulated && high < all) return std::nullopt;
    found = reaches(high);
  }
  while (found && *found && low == high && low > kFewestPlanned) {
    low = std::min(low - 1, scaled(low, 1 / kStep));
    found = reaches(low);
    if (found && *found) high = low;
  }
  if (!found) return std::nullopt;
  while (high - low > 1 &&
         static_cast<double>(high - low) > kPrecision * static_cast<double>(high)) {
    const int64_t middle = low + (high - low) / 2;
    found = reaches(middle);
    if (!found) return std::nullopt;
    (*found ? high : low) = middle;
  }
  return high;
}

}  // namespace rubric::stats
