#include "metrics/neural/finite.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric {

void require_finite(std::span<const double> scores, const Answer& answer) {
  for (const double score : scores) {
    if (std::isfinite(score)) continue;
    throw Error("the model predicts " + std::to_string(score), record_place("", answer),
                "train the model again, or fetch it again: its weights are not usable");
  }
}

}  // namespace rubric
