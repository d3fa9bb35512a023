#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace rubric {
namespace {

double percentile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below_it = static_cast<size_t>(position);
  const size_t above_it = std::min(below_it + 1, sorted.size() - 1);
  return std::lerp(sorted[below_it], sorted[above_it], position - static_cast<double>(below_it));
}

}  // namespace

std::vector<std::optional<double>> bootstrap_statistics(std::span<const double> x,
                                                        std::span<const double> y,
                                                        const PairedStatistic& statistic,
                                                        const BootstrapOptions& options,
                                                        uint64_t stream) {
  const uint64_t seed = random_bits(options.seed, Purpose::bootstrap, stream);
  std::vector<std::optional<double>> statistics;
  std::vector<double> drawn_x(x.size()), drawn_y(y.size());
  for (int64_t resample = 0; resample < options.resamples; ++resample) {
    for (size_t i = 0; i < x.size(); ++i) {
      const uint64_t bits =
          random_bits(seed, Purpose::bootstrap, static_cast<uint64_t>(resample), i);
      const uint64_t drawn = below(bits, x.size());
      drawn_x[i] = x[drawn];
      drawn_y[i] = y[drawn];
    }
    statistics.push_back(statistic(drawn_x, drawn_y));
  }
  return statistics;
}

std::optional<Interval> percentile_interval(std::span<const std::optional<double>> statistics) {
  std::vector<double> sorted;
  for (const std::optional<double>& statistic : statistics) {
    if (statistic) sorted.push_back(*statistic);
  }
  if (sorted.empty()) return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  return Interval{percentile(sorted, 0.025), percentile(sorted, 0.975)};
}

}  // namespace rubric
