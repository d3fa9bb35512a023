#include "eval/seed_resamples.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace rubric {

std::vector<std::optional<double>> seed_and_instance_means(
    const std::vector<std::vector<RunFigure>>& figures, const BootstrapOptions& options) {
  const size_t seed_count = figures.front().size();
  size_t resample_count = 0;
  for (const auto& seeds : figures) {
    for (const RunFigure& figure : seeds) {
      resample_count = std::max(resample_count, figure.resampled.size());
    }
  }
  if (resample_count == 0 && seed_count == 1) return {};
  if (resample_count == 0) resample_count = static_cast<size_t>(options.resamples);
  std::vector<std::optional<double>> means(resample_count);
  for (size_t resample = 0; resample < resample_count; ++resample) {
    double sum = 0;
    for (size_t i = 0; i < seed_count; ++i) {
      const size_t seed =
          below(random_bits(options.seed, Purpose::bootstrap, resample, i), seed_count);
      for (const std::vector<RunFigure>& seeds : figures) {
        const RunFigure& drawn = seeds[seed];
        sum += resample < drawn.resampled.size() ? drawn.resampled[resample] : drawn.value;
      }
    }
    const double value = sum / static_cast<double>(seed_count * figures.size());
    if (!std::isnan(value)) means[resample] = value;
  }
  return means;
}

std::optional<Interval> seed_and_instance_interval(
    const std::vector<std::vector<RunFigure>>& figures) {
  return percentile_interval(seed_and_instance_means(figures));
}

}  // namespace rubric
