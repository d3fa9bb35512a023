// Records that belong together, such as the answers to one question: drawn and exchanged as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace rubric::stats {

struct Clusters {
  std::vector<uint32_t> of;  // by record: its cluster, numbered in the order of their first records
  size_t count = 0;
};

// The records of one key together.
template <class Key>
Clusters clusters_by(const std::vector<Key>& keys) {
  std::map<Key, uint32_t> numbers;
  Clusters clusters;
  for (const Key& key : keys) {
    const auto next = static_cast<uint32_t>(numbers.size());
    clusters.of.push_back(numbers.emplace(key, next).first->second);
  }
  clusters.count = numbers.size();
  return clusters;
}

// Percentile bootstrap intervals (Efron 1979), the same for the same seed on any machine and with
// any number of threads.

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
using ResampledStatistic = std::function<std::optional<double>(Counts counts)>;

// The figure of each resample (of none when n is 0).
std::vector<std::optional<double>> bootstrap_statistics(size_t n, const ResampledStatistic& figure,
                                                        const BootstrapOptions& options,
                                                        uint64_t stream = 0);

// The 95% interval of resampled figures, interpolated between neighbours as numpy.percentile
// does. Undefined ones are skipped; nothing when all are.
std::optional<Interval> percentile_interval(std::span<const std::optional<double>> figures);

// The mean of a sample and how well it is known.

double mean(std::span<const double> values);  // nan of no values

struct MeanInterval {
  double mean, low, high;
};

// Of values that pass by one after the other (Welford 1962).
struct Moments {
  int64_t n = 0;
  double mean = 0, squares = 0;  // of the differences from the mean, summed
  void add(double value);
};

// The mean with Student's 95% interval, mean ± t(n-1, 0.975) s / sqrt(n): linear time for any
// number of rows. Of a single value the interval is that value. Throws Error when there is none.
MeanInterval mean_interval(std::span<const double> values);
MeanInterval mean_interval(const Moments& moments);

}  // namespace rubric::stats
