// How far two raters who say yes or no agree about the same units.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rubric::stats {

// How often both say yes, only one of them, and neither.
struct YesNoCounts {
  int64_t both = 0, first_only = 0, second_only = 0, neither = 0;

  void add(bool first, bool second, int64_t times = 1);
  YesNoCounts& operator+=(const YesNoCounts& other);
  int64_t n() const { return both + first_only + second_only + neither; }
};

// The first rater's yes with the second's as the truth. Nothing where a figure is undefined:
// precision where the first never says yes, recall where the second does not, F1 where neither
// does.
std::optional<double> precision(const YesNoCounts& counts);
std::optional<double> recall(const YesNoCounts& counts);
std::optional<double> f1(const YesNoCounts& counts);

// The share of units on which both say the same; nothing of none.
std::optional<double> observed_agreement(const YesNoCounts& counts);

// Cohen's kappa (1960): 1 is perfect agreement, 0 what chance gives by how often each says yes.
// Nothing where chance alone agrees always: both give one and the same answer throughout.
std::optional<double> cohen_kappa(const YesNoCounts& counts);

// The same over strata whose units are of different kinds: what chance gives is taken in each by
// itself, and observed and expected agreement are their means weighted by units. Pooled into one,
// strata of which one is mostly yes and another mostly no show agreement on what kind a unit is.
std::optional<double> stratified_kappa(std::span<const YesNoCounts> strata);

// How far several raters agree about the same units.

// Krippendorff's alpha with the interval metric (Krippendorff 2011): 1 is perfect agreement, 0 what
// chance gives. `units` holds each unit's ratings, in any number; a unit with one rating says
// nothing and is left out. Nothing where it is undefined: fewer than two ratings in all, or all the
// same.
std::optional<double> krippendorff_alpha(std::span<const std::vector<double>> units);

}  // namespace rubric::stats
