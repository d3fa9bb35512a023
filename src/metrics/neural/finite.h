// What a model predicts must be numbers.
#pragma once

#include <span>

#include "data/records.h"

namespace rubric {

// Throws Error naming the record when a score is not finite: a file has no place for such numbers,
// and one of them makes every mean undefined.
void require_finite(std::span<const double> scores, const Answer& answer);

}  // namespace rubric
