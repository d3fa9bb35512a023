// Confidence intervals: percentile bootstrap intervals of any statistic, also over clusters of
// records, resamples of records with equal values, and Student's interval of a mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "rubric/statistics.h"

namespace rubric::stats {

using rubric::BootstrapOptions;
using rubric::Interval;

// Whether a value is on a scale. The ends have a tolerance of 10⁻⁶ of the scale: 100.00000000000004
// is on that from 0 to 100, as rounding makes it of BLEU's 100.
bool is_on_scale(double value, const Interval& scale);

inline constexpr int64_t kMostResamples = 1'000'000;

// Throws InputError unless resamples is from 1 to kMostResamples.
void require_valid(const BootstrapOptions& options);

struct Clusters {
  std::vector<uint32_t> of;  // by record: the number of its cluster
  size_t count = 0;
};

// Records with equal keys form a cluster. Clusters are numbered in the order of their keys, so that
// resamples, folds and permutations do not depend on the order of the records.
template <class Key>
Clusters clusters_by(const std::vector<Key>& keys) {
  std::map<Key, uint32_t> numbers;
  for (const Key& key : keys) numbers.emplace(key, 0);
  Clusters clusters{{}, numbers.size()};
  uint32_t next = 0;
  for (auto& [key, number] : numbers) number = next++;
  for (const Key& key : keys) clusters.of.push_back(numbers.at(key));
  return clusters;
}

// A resample, as how often each record was drawn.
using Counts = std::span<const uint32_t>;

// Draws resamples of n records with replacement and calls visit(resample, counts) once for each, on
// several threads, so a visitor may write only to memory of its own resample. One `stream` gives
// the same resamples for every series of n; different streams are independent.
void visit_resamples(size_t n, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit);

// Draws `clusters.count` clusters instead, each with all its records (Field and Welsh 2007).
void visit_resamples(const Clusters& clusters, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit);

// The sums of several columns over the records of a resample: numerators and denominators of means,
// accuracies and F1. Safe to call from several threads.
class ResampledSums {
 public:
  // columns[column][record]. Resamples must draw these clusters.
  ResampledSums(const Clusters& clusters, std::span<const std::vector<double>> columns);

  std::vector<double> of(Counts counts) const;

 private:
  // The sums of several clusters are vectors, which the compiler would not make of a loop over
  // columns.
  static constexpr size_t kLanes = 4;
  struct Lanes {
    double of __attribute__((vector_size(kLanes * sizeof(double)))) = {};
  };

  size_t columns_;
  std::vector<size_t> first_;  // the first record of each cluster, up to a multiple of kLanes
  std::vector<Lanes> sums_;    // [cluster / kLanes][column]
};

// Statistics of some records, or one statistic in all resamples; nothing where it is undefined.
using Statistics = std::vector<std::optional<double>>;

// What `statistics` gives of each resample of clusters, always `count` values:
// [statistic][resample]. One cluster has no resamples but itself: nothing is drawn.
std::vector<Statistics> resampled_statistics(const Clusters& clusters,
                                             const BootstrapOptions& options, uint64_t stream,
                                             size_t count,
                                             const std::function<Statistics(Counts)>& statistics);

// The 95% interval of resampled values, interpolated between neighbours as numpy.percentile does.
// Skips undefined values; nullopt when all are undefined.
std::optional<Interval> percentile_interval(std::span<const std::optional<double>> values);
std::optional<Interval> percentile_interval(std::span<const double> values);

// The mean of each series[which][record] in each resample of clusters, which is the same for all:
// [which][resample].
std::vector<std::vector<double>> resampled_means(std::span<const std::vector<double>> series,
                                                 const Clusters& clusters,
                                                 const BootstrapOptions& options);

// The sum of each column over the records of each cluster. Clusters are numbered from 0 without
// gaps: a number below the greatest that no record has would be drawn as a cluster without records.
struct ClusterSums {
  size_t columns = 0;
  std::vector<double> sums = {};     // [cluster][column]
  std::vector<double> records = {};  // of each cluster

  size_t clusters() const { return records.size(); }
  void add(uint32_t cluster, std::span<const double> record);  // `columns` values
  // The same with cluster order[i] as number i. `order` is a permutation of the clusters.
  ClusterSums in_order(std::span<const uint32_t> order) const;
};

// rows[record][column], of equal lengths
ClusterSums cluster_sums(std::span<const std::vector<double>> rows, const Clusters& clusters);

// Values of any number of records, from the sum of each column over them.
using ValuesOfSums =
    std::function<std::vector<double>(std::span<const double> sums, double records)>;

// The interval of each value, by resampling clusters. `sums` are columns side by side, of the same
// records in the same clusters. Throws Error without clusters, and for different numbers of them.
std::vector<Interval> bootstrap_sums(std::span<const ClusterSums* const> sums,
                                     const BootstrapOptions& options, const ValuesOfSums& values);

// The mean of each column: its intervals are within the bounds of the values, whatever these are.
std::vector<double> means_of_sums(std::span<const double> sums, double records);

double mean(std::span<const double> values);  // NaN when there are no values
bool is_constant(std::span<const double> values);

struct MeanInterval {
  double mean, low, high;
};

// Running mean and sum of squared deviations (Welford 1962).
struct Moments {
  int64_t n = 0;
  double mean = 0, squares = 0;  // sum of squared deviations from the mean
  void add(double value);
};

// The mean with Student's 95% interval, mean ± t(n-1, 0.975) s / sqrt(n), in linear time. The
// interval of a single value is that value. Throws Error without values.
MeanInterval mean_interval(std::span<const double> values);
MeanInterval mean_interval(const Moments& moments);

// Scores of answers have few distinct values: what is computed of many resamples is computed of the
// distinct records, each drawn as often as all that are equal to it. Safe to call from several
// threads.
class DistinctRecords {
 public:
  // Joins the records that are equal in all series, in ascending order of their values. Throws
  // Error for series of different lengths; without series there are no records.
  explicit DistinctRecords(std::span<const std::span<const double>> series);

  size_t size() const { return begin_.size() - 1; }
  // The values of the distinct records, from a series of all records with one value for equal ones.
  std::vector<double> values_of(std::span<const double> series) const;
  // How many records each distinct one stands for.
  std::vector<uint32_t> times() const;
  std::vector<uint32_t> drawn(Counts counts) const;

 private:
  std::vector<uint32_t> order_;  // records, equal ones side by side
  std::vector<size_t> begin_;    // where each distinct one begins in it, and the end
};

}  // namespace rubric::stats
