// How far several raters agree about the same units.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace rubric {

// Krippendorff's alpha with the interval metric (Krippendorff 2011): 1 is perfect agreement, 0 what
// chance gives. `units` holds each unit's ratings, in any number; a unit with one rating says
// nothing and is left out. Nothing where it is undefined: fewer than two ratings in all, or all the
// same.
std::optional<double> krippendorff_alpha(std::span<const std::vector<double>> units);

}  // namespace rubric
