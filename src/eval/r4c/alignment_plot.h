// A picture of one alignment, like Figure 2 of R4C's paper (Inoue et al. 2020).
#pragma once

#include "eval/report/plots.h"
#include "eval/r4c/suite.h"

namespace rubric {

// By the scorer of that place in kStepScorers: the derivation's steps in boxes on the left, those
// of the best reference on the right, and a line with the similarity between two that are aligned.
Plot alignment_plot(const R4cQuestion& question, size_t scorer);

}  // namespace rubric
