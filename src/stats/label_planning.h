// How many labels it takes until a difference is found, or an interval is narrow enough: from a
// pilot, by formula and by simulation. docs/estimate.md derives the formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace rubric::stats {

// An estimate from labelled questions and, to first order, how its error comes about: it is the
// mean of own - slope * other over the questions.
struct LinearEstimate {
  double value = 0;           // from labels alone
  std::vector<double> own;    // by question, with the weighted mean 0
  std::vector<double> other;  // of predictions, from their mean over all questions; empty: none
};

// What is planned for, of the labelled questions of a pilot.
struct PlannedFigure {
  // Of the questions with these weights, whose sum is 1, with the predictor of this number or, with
  // nullopt, without. nullopt where it is undefined.
  using At = std::function<std::optional<LinearEstimate>(std::span<const double> weights,
                                                         std::optional<size_t> predictor)>;
  At at;
  std::vector<double> weights;  // of the pilot's questions: what each stands for; the sum is 1
  size_t predictors = 0;
  std::optional<size_t> cut = {};  // whose slope is kept from 0 to 1
  bool is_fisher = false;          // `value` is a correlation on Fisher's scale
  double population = 0;           // the questions of which labels are drawn
};

// Until a true difference is found with a power of 80% by a two-sided test at 5%, or until half of
// the 95% interval is no wider.
struct PlanningAim {
  enum class Kind { difference, width } kind;
  double size;  // above 0
};

inline constexpr double kPlannedPower = 0.8;
inline constexpr int64_t kFewestPlanned = 10;      // questions; estimates want as many
inline constexpr int64_t kMostSimulated = 50'000;  // questions

// The least number of labelled questions, at most figure.population, from the variance of the
// pilot's errors: by Student's t, and for differences its noncentral distribution. nullopt where
// the pilot's estimate is undefined.
std::optional<int64_t> planned_by_formula(const PlannedFigure& figure,
                                          std::optional<size_t> predictor, const PlanningAim& aim);

struct SimulationOptions {
  int64_t simulations = 500;
  uint64_t seed = 0;
};

// The same to 1%, by drawing the pilot's questions with replacement and estimating anew, slope and
// error too. The search starts at `start`. nullopt above kMostSimulated, and where most draws have
// no estimate.
std::optional<int64_t> planned_by_simulation(const PlannedFigure& figure,
                                             std::optional<size_t> predictor,
                                             const PlanningAim& aim, int64_t start,
                                             const SimulationOptions& options);

}  // namespace rubric::stats
