// Figures of several runs that differ in their seed, resampled over seeds and instances.
#pragma once

#include <optional>
#include <vector>

#include "stats/bootstrap_part.h"

namespace rubric {

// A figure as one run gave it, with its bootstrap over instances ("resampled" beside it in the
// results; empty: there is none). nan: undefined for that resample.
struct RunFigure {
  double value;
  std::vector<double> resampled;
};

// Of each resample the mean over seeds of the mean over `figures[which][seed]`, drawing seeds, and
// for each the instances, with replacement. A seed is drawn with all its figures: they may be of
// one model (all data sets), and their errors then do not average out; where each has a model of
// its own (out of dataset), the interval is as wide on average as with draws for each. As many
// seeds for each `which`. Nothing where a figure drawn is undefined; none for one seed without
// resamples. `options` has the seed of the draws, and how many there are of figures without
// resamples of their own.
std::vector<std::optional<double>> seed_and_instance_means(
    const std::vector<std::vector<RunFigure>>& figures, const BootstrapOptions& options = {});

// Their 95% interval; nothing for one seed without resamples.
std::optional<Interval> seed_and_instance_interval(
    const std::vector<std::vector<RunFigure>>& figures);

}  // namespace rubric
