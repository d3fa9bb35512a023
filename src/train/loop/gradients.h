// The gradients of all parameters together: their norm, and clipping by it.
#pragma once

#include "train/task.h"

namespace rubric {

// The 2-norm over all gradients together. A parameter without gradient counts as 0.
double gradient_norm(const Parameters& parameters);

// Scales all gradients by max_norm / (norm + 1e-6) where that is below 1, as torch's
// clip_grad_norm_ does.
void clip_gradients(const Parameters& parameters, double norm, double max_norm);

}  // namespace rubric
