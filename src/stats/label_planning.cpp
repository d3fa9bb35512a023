#include "stats/label_planning.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "stats/prediction_powered.h"

namespace rubric::stats {
namespace {

// The estimate of the pilot, with its slope.
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

// The slope that makes the variance least; 0 where it would rest on one question.
double slope_of(std::span<const double> weights, const LinearEstimate& estimate, double questions,
                bool is_cut) {
  constexpr double kMostLeverage = 0.5;
  const double variance = weighted(weights, estimate.control, estimate.control);
  double most = 0;
  for (const double each : estimate.control) most = std::max(most, each * each / questions);
  if (variance == 0 || most > kMostLeverage * variance) return 0;
  const double slope = weighted(weights, estimate.influence, estimate.control) / variance;
  return is_cut ? std::clamp(slope, 0.0, 1.0) : slope;
}

std::optional<Fitted> fitted_to_pilot(const PlannedStatistic& statistic, size_t source) {
  if (!statistic.by_source.at(source)) return std::nullopt;
  const LinearEstimate& estimate = *statistic.by_source[source];
  const std::vector<double>& weights = statistic.weights;
  const double questions =  // as many of equal weights know as much (Kish)
      1 / std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
  Fitted fitted{estimate.value};
  std::vector<double> errors = estimate.influence;
  const double of_own = weighted(weights, errors, errors);
  if (!estimate.control.empty()) {
    const double slope = slope_of(weights, estimate, questions, source == statistic.cut);
    fitted.slopes = slope == 0 ? 0 : 1;
    for (size_t q = 0; q < errors.size(); ++q) errors[q] -= slope * estimate.control[q];
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

double half_width(const PlannedStatistic& statistic, double value, double half) {
  if (!statistic.is_fisher) return half;
  return (std::tanh(value + half) - std::tanh(value - half)) / 2;
}

// The variance of a mean of n of the population, as a share of that of one question.
double share_of(double n, double population) {
  return std::max(1 / n - 1 / population, 0.0);
}

double quantile(double freedom) {
  return boost::math::quantile(boost::math::students_t(freedom), 0.975);
}

bool reaches(const PlannedStatistic& statistic, const Fitted& pilot, const PlanningAim& aim,
             double n) {
  const double error = std::sqrt(pilot.variance * share_of(n, statistic.population));
  const double freedom = pilot.freedom(n), t = quantile(freedom);
  if (aim.kind == PlanningAim::Kind::width) {
    return half_width(statistic, pilot.value, t * error) <= aim.size;
  }
  constexpr double kCertain = 30;  // standard errors
  if (error == 0 || aim.size / error > kCertain) return true;
  const boost::math::non_central_t distribution(freedom, aim.size / error);
  return boost::math::cdf(boost::math::complement(distribution, t)) >= kPlannedPower;
}

}  // namespace

std::optional<int64_t> planned_questions(const PlannedStatistic& statistic, size_t source,
                                         const PlanningAim& aim) {
  const std::optional<Fitted> pilot = fitted_to_pilot(statistic, source);
  if (!pilot) return std::nullopt;
  int64_t low = kFewestPlanned;
  int64_t high = std::max(low, static_cast<int64_t>(statistic.population));
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (reaches(statistic, *pilot, aim, static_cast<double>(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

}  // namespace rubric::stats
