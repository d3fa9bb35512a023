// Agreement between raters of the same units: precision, recall, F1 and Cohen's kappa of two raters
// who say yes or no, and Krippendorff's alpha of several raters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rubric::stats {

// How often both raters say yes, only one of them, and neither.
struct YesNoCounts {
  int64_t both = 0, first_only = 0, second_only = 0, neither = 0;

  void add(bool first, bool second, int64_t times = 1);
  YesNoCounts& operator+=(const YesNoCounts& other);
  int64_t n() const { return both + first_only + second_only + neither; }
};

// Evaluate the first rater's yes with the second rater as the truth. nullopt where the value is
// undefined: precision when the first never says yes, recall when the second never does, F1 when
// neither does.
std::optional<double> precision(const YesNoCounts& counts);
std::optional<double> recall(const YesNoCounts& counts);
std::optional<double> f1(const YesNoCounts& counts);

// The share of units on which both say the same; nullopt without units.
std::optional<double> observed_agreement(const YesNoCounts& counts);

// Cohen's kappa (1960): 1 is perfect agreement, 0 the agreement expected by chance from how often
// each says yes. nullopt where the expected agreement is 1: both always give the same one answer.
std::optional<double> cohen_kappa(const YesNoCounts& counts);

// Cohen's kappa over strata whose units have different kinds: observed and expected agreement are
// computed in each stratum and averaged, weighted by units. Pooling strata that are mostly yes and
// mostly no would count agreement about the kind of a unit.
std::optional<double> stratified_kappa(std::span<const YesNoCounts> strata);

// Krippendorff's alpha with the interval metric (Krippendorff 2011): 1 is perfect agreement, 0 the
// agreement expected by chance. `units` holds the ratings of each unit, any number of them; units
// with one rating are left out. nullopt where it is undefined: fewer than two ratings in all, or
// all the same.
std::optional<double> krippendorff_alpha(std::span<const std::vector<double>> units);

}  // namespace rubric::stats
