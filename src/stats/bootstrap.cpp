#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <boost/math/distributions/students_t.hpp>

#include "core/context.h"
#include "core/error.h"
#include "core/random.h"
#include "core/system/parallel.h"

namespace rubric::stats {

namespace {

constexpr size_t kBetweenStops = 1 << 16;  // draws, or clusters, between looks for a stop

double percentile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below_it = static_cast<size_t>(position);
  const size_t above_it = std::min(below_it + 1, sorted.size() - 1);
  return std::lerp(sorted[below_it], sorted[above_it], position - static_cast<double>(below_it));
}

}  // namespace

bool is_on_scale(double value, const Interval& scale) {
  constexpr double kTolerance = 1e-6;
  const double tolerance = kTolerance * (scale.high - scale.low);
  return value >= scale.low - tolerance && value <= scale.high + tolerance;
}

void require_valid(const BootstrapOptions& options) {
  if (options.resamples >= 1 && options.resamples <= kMostResamples) return;
  throw InputError("--resamples is " + std::to_string(options.resamples), "",
                   "give a whole number from 1 to " + std::to_string(kMostResamples));
}

void visit_resamples(size_t n, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit) {
  if (n == 0) return;
  const uint64_t seed = random_bits(options.seed, Purpose::bootstrap, stream);
  const auto resamples = static_cast<size_t>(options.resamples);
  parallel_for(resamples, resamples * n, [&](size_t first, size_t end) {
    std::vector<uint32_t> counts(n);
    for (size_t resample = first; resample < end; ++resample) {
      std::fill(counts.begin(), counts.end(), 0);
      const uint64_t key = stream_key(seed, Purpose::bootstrap, resample);
      for (size_t i = 0; i < n; ++i) {
        if (i % kBetweenStops == 0) end_if_stop_requested();
        ++counts[below(mix(key + i), n)];
      }
      visit(resample, counts);
    }
  });
}

void visit_resamples(const Clusters& clusters, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit) {
  const size_t n = clusters.of.size();
  visit_resamples(clusters.count, options, stream, [&](size_t resample, Counts drawn) {
    std::vector<uint32_t> counts(n);
    for (size_t i = 0; i < n; ++i) counts[i] = drawn[clusters.of[i]];
    visit(resample, counts);
  });
}

ResampledSums::ResampledSums(const Clusters& clusters, std::span<const std::vector<double>> columns)
    : columns_(columns.size()), first_((clusters.count + kLanes - 1) / kLanes * kLanes) {
  for (size_t i = clusters.of.size(); i-- > 0;) first_[clusters.of[i]] = i;
  sums_.resize(first_.size() / kLanes * columns_);
  for (size_t i = 0; i < clusters.of.size(); ++i) {
    const size_t block = clusters.of[i] / kLanes, lane = clusters.of[i] % kLanes;
    for (size_t j = 0; j < columns_; ++j) sums_[block * columns_ + j].of[lane] += columns[j][i];
  }
}

std::vector<double> ResampledSums::of(Counts counts) const {
  std::vector<Lanes> by_lane(columns_);
  const auto drawn = [&](size_t cluster) { return static_cast<double>(counts[first_[cluster]]); };
  for (size_t first = 0; first < first_.size(); first += kLanes) {
    const Lanes times = {{drawn(first), drawn(first + 1), drawn(first + 2), drawn(first + 3)}};
    const Lanes* const block = sums_.data() + first / kLanes * columns_;
    for (size_t j = 0; j < columns_; ++j) by_lane[j].of += times.of * block[j].of;
  }
  std::vector<double> sums;
  for (const auto& [of] : by_lane) sums.push_back((of[0] + of[1]) + (of[2] + of[3]));
  return sums;
}

std::vector<Statistics> resampled_statistics(const Clusters& clusters,
                                             const BootstrapOptions& options, uint64_t stream,
                                             size_t count,
                                             const std::function<Statistics(Counts)>& statistics) {
  std::vector<Statistics> resampled(count);
  if (clusters.count < 2) return resampled;
  for (Statistics& values : resampled) values.resize(static_cast<size_t>(options.resamples));
  visit_resamples(clusters, options, stream, [&](size_t resample, Counts counts) {
    const Statistics values = statistics(counts);
    for (size_t i = 0; i < count; ++i) resampled[i][resample] = values[i];
  });
  return resampled;
}

std::optional<Interval> percentile_interval(std::span<const std::optional<double>> values) {
  std::vector<double> defined;
  for (const std::optional<double>& value : values) {
    if (value) defined.push_back(*value);
  }
  return percentile_interval(defined);
}

std::optional<Interval> percentile_interval(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{percentile(sorted, 0.025), percentile(sorted, 0.975)};
}

void ClusterSums::add(uint32_t cluster, std::span<const double> record) {
  if (cluster >= records.size()) {
    records.resize(cluster + size_t{1});
    sums.resize(records.size() * columns);
  }
  records[cluster] += 1;
  for (size_t i = 0; i < columns; ++i) sums[cluster * columns + i] += record[i];
}

ClusterSums ClusterSums::in_order(std::span<const uint32_t> order) const {
  ClusterSums ordered{.columns = columns};
  for (const uint32_t cluster : order) {
    ordered.records.push_back(records[cluster]);
    const auto begin = sums.begin() + static_cast<ptrdiff_t>(cluster * columns);
    ordered.sums.insert(ordered.sums.end(), begin, begin + static_cast<ptrdiff_t>(columns));
  }
  return ordered;
}

ClusterSums cluster_sums(std::span<const std::vector<double>> rows, const Clusters& clusters) {
  ClusterSums sums{.columns = rows.empty() ? 0 : rows.front().size()};
  for (size_t i = 0; i < rows.size(); ++i) sums.add(clusters.of[i], rows[i]);
  return sums;
}

namespace {

// The values of `values` in each resample: [resample][value].
std::vector<std::vector<double>> resampled_sums(std::span<const ClusterSums* const> all,
                                                const BootstrapOptions& options,
                                                const ValuesOfSums& values) {
  const std::vector<double>& records = all.front()->records;
  size_t columns = 0;
  for (const ClusterSums* const of : all) columns += of->columns;
  std::vector<std::vector<double>> resampled(static_cast<size_t>(options.resamples));
  visit_resamples(records.size(), options, 0, [&](size_t resample, Counts counts) {
    double drawn = 0;
    std::vector<double> totals(columns);
    for (size_t cluster = 0; cluster < records.size(); ++cluster) {
      if (cluster % kBetweenStops == 0) end_if_stop_requested();
      if (counts[cluster] == 0) continue;
      drawn += counts[cluster] * records[cluster];
      double* total = totals.data();
      for (const ClusterSums* const of : all) {
        const double* const sums = of->sums.data() + cluster * of->columns;
        for (size_t i = 0; i < of->columns; ++i) *total++ += counts[cluster] * sums[i];
      }
    }
    resampled[resample] = values(totals, drawn);
  });
  return resampled;
}

// [i][j] as [j][i].
std::vector<std::vector<double>> transposed(std::span<const std::vector<double>> values) {
  std::vector<std::vector<double>> result(values.front().size(),
                                          std::vector<double>(values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < result.size(); ++j) result[j][i] = values[i][j];
  }
  return result;
}

}  // namespace

std::vector<double> means_of_sums(std::span<const double> sums, double records) {
  std::vector<double> means(sums.begin(), sums.end());
  for (double& value : means) value /= records;
  return means;
}

std::vector<std::vector<double>> resampled_means(std::span<const std::vector<double>> series,
                                                 const Clusters& clusters,
                                                 const BootstrapOptions& options) {
  const ClusterSums sums = cluster_sums(transposed(series), clusters);
  const ClusterSums* const all[] = {&sums};
  return transposed(resampled_sums(all, options, means_of_sums));
}

std::vector<Interval> bootstrap_sums(std::span<const ClusterSums* const> sums,
                                     const BootstrapOptions& options, const ValuesOfSums& values) {
  if (sums.empty() || sums.front()->clusters() == 0) throw Error("an interval of no values");
  for (const ClusterSums* const of : sums) {
    if (of->clusters() != sums.front()->clusters()) {
      throw Error("sums that are resampled together need the same clusters");
    }
  }
  std::vector<Interval> intervals;
  for (const std::vector<double>& of_value : transposed(resampled_sums(sums, options, values))) {
    intervals.push_back(*percentile_interval(of_value));
  }
  return intervals;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool is_constant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

void Moments::add(double value) {
  ++n;
  const double difference = value - mean;
  mean += difference / static_cast<double>(n);
  squares += difference * (value - mean);
}

MeanInterval mean_interval(std::span<const double> values) {
  Moments moments{std::ssize(values), values.empty() ? 0 : mean(values), 0};
  for (const double value : values) {
    moments.squares += (value - moments.mean) * (value - moments.mean);
  }
  return mean_interval(moments);
}

MeanInterval mean_interval(const Moments& moments) {
  if (moments.n == 0) throw Error("the mean of no values");
  const auto n = static_cast<double>(moments.n);
  if (moments.n == 1) return {moments.mean, moments.mean, moments.mean};
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  const double half = t * std::sqrt(moments.squares / (n - 1) / n);
  return {moments.mean, moments.mean - half, moments.mean + half};
}

DistinctRecords::DistinctRecords(std::span<const std::span<const double>> series) {
  order_.resize(series.empty() ? 0 : series.front().size());
  for (const auto& values : series) {
    if (values.size() != order_.size()) throw Error("series of records need the same length");
  }
  std::iota(order_.begin(), order_.end(), 0U);
  const auto is_less = [&](uint32_t a, uint32_t b) {
    for (const auto& values : series) {
      if (values[a] != values[b]) return values[a] < values[b];
    }
    return false;
  };
  std::ranges::stable_sort(order_, is_less);
  for (size_t k = 0; k < order_.size(); ++k) {
    if (k == 0 || is_less(order_[k - 1], order_[k])) begin_.push_back(k);
  }
  begin_.push_back(order_.size());
}

std::vector<double> DistinctRecords::values_of(std::span<const double> series) const {
  std::vector<double> values;
  for (size_t i = 0; i < size(); ++i) values.push_back(series[order_[begin_[i]]]);
  return values;
}

std::vector<uint32_t> DistinctRecords::times() const {
  std::vector<uint32_t> times;
  for (size_t i = 0; i < size(); ++i) {
    times.push_back(static_cast<uint32_t>(begin_[i + 1] - begin_[i]));
  }
  return times;
}

std::vector<uint32_t> DistinctRecords::drawn(Counts counts) const {
  std::vector<uint32_t> drawn(size());
  for (size_t i = 0; i < size(); ++i) {
    uint32_t sum = 0;
    for (size_t k = begin_[i]; k < begin_[i + 1]; ++k) sum += counts[order_[k]];
    drawn[i] = sum;
  }
  return drawn;
}

}  // namespace rubric::stats
