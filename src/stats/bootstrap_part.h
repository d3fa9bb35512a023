// Percentile bootstrap intervals (Efron 1979), the same for the same seed on any machine and with
// any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric {

struct BootstrapOptions {
  int64_t resamples = 10'000;
  uint64_t seed = 0;
};

struct Interval {
  double low = 0, high = 0;  // the 2.5th and the 97.5th percentile
};

// A resample as how often each record was drawn.
using Counts = std::span<const uint32_t>;

// Draws resamples of n records with replacement and calls visit(resample, counts) once for each,
// on several threads: a visitor writes to a place of that resample's own. Resamples of one `stream`
// are the same for every series of n; different streams are independent.
void visit_resamples(size_t n, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit);

// Draws as many clusters as there are instead, each with all its records (Field and Welsh 2007);
// the same as above where every record is a cluster of its own.
void visit_resamples(const Clusters& clusters, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit);

// A figure of a resample, or nothing where it is undefined.
using ResampledFigure = std::function<std::optional<double>(Counts counts)>;

// The figure of each resample (of none when n is 0).
std::vector<std::optional<double>> bootstrap_figures(size_t n, const ResampledFigure& figure,
                                                     const BootstrapOptions& options,
                                                     uint64_t stream = 0);

// The 95% interval of resampled figures, interpolated between neighbours as numpy.percentile
// does. Undefined ones are skipped; nothing when all are.
std::optional<Interval> percentile_interval(std::span<const std::optional<double>> figures);

}  // namespace rubric
