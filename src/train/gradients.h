// The gradients of all parameters together: their sum over ranks, their norm, clipping by it.
#pragma once

#include "train/task.h"

namespace rubric {

// Adds up every rank's gradients; afterwards all have the same. A parameter without gradient counts
// as 0, and stays without when no rank has one for it.
void sum_gradients(const Parameters& parameters, const Ranks& ranks);

// The 2-norm over all gradients together. A parameter without gradient counts as 0.
double gradient_norm(const Parameters& parameters);

// Scales all gradients by max_norm / (norm + 1e-6) where that is below 1, as torch's
// clip_grad_norm_ does.
void clip_gradients(const Parameters& parameters, double norm, double max_norm);

}  // namespace rubric
