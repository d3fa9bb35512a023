// How many labels it takes until a difference is found, or an interval is narrow enough: from the
// variance of the errors among a pilot's labels. docs/estimate.md has the formula, and how near it
// comes to what real data take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rubric::stats {

// An estimate from labelled questions and, to first order, how its error comes about: it is the
// mean of influence - slope * control over the questions.
struct LinearEstimate {
  double value = 0;               // from labels alone
  std::vector<double> influence;  // of the labels, by question, with the weighted mean 0
  std::vector<double> control;    // the variate: of predictions, likewise; empty: none
};

// What is planned for, of the labelled questions of a pilot.
struct PlannedStatistic {
  std::vector<double> weights;  // of the pilot's questions: what each stands for; the sum is 1
  // From labels alone, then with each predictor. nullopt where it is undefined.
  std::vector<std::optional<LinearEstimate>> by_source;
  std::optional<size_t> cut = {};  // the source whose slope is kept from 0 to 1
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
inline constexpr int64_t kFewestPlanned = 10;  // questions; estimates want as many

// The least number of labelled questions, at most statistic.population: by Student's t, and for
// differences its noncentral distribution. nullopt where the pilot's estimate is undefined.
std::optional<int64_t> planned_questions(const PlannedStatistic& statistic, size_t source,
                                         const PlanningAim& aim);

}  // namespace rubric::stats
