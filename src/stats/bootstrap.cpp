#include "stats/bootstrap_part.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "core/system/parallel.h"

namespace rubric {
namespace {

double percentile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below_it = static_cast<size_t>(position);
  const size_t above_it = std::min(below_it + 1, sorted.size() - 1);
  return std::lerp(sorted[below_it], sorted[above_it], position - static_cast<double>(below_it));
}

}  // namespace

void visit_resamples(size_t n, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit) {
  if (n == 0) return;
  const uint64_t seed = random_bits(options.seed, Purpose::bootstrap, stream);
  const auto resamples = static_cast<size_t>(options.resamples);
  share_work(resamples, resamples * n, [&](size_t first, size_t end) {
    std::vector<uint32_t> counts(n);
    for (size_t resample = first; resample < end; ++resample) {
      std::fill(counts.begin(), counts.end(), 0);
      for (size_t i = 0; i < n; ++i) {
        ++counts[below(random_bits(seed, Purpose::bootstrap, resample, i), n)];
      }
      visit(resample, counts);
    }
  });
}

void visit_resamples(const Clusters& clusters, const BootstrapOptions& options, uint64_t stream,
                     const std::function<void(size_t resample, Counts counts)>& visit) {
  const size_t n = clusters.of.size();
  if (clusters.count == n) return visit_resamples(n, options, stream, visit);  // each is a record
  visit_resamples(clusters.count, options, stream, [&](size_t resample, Counts drawn) {
    std::vector<uint32_t> counts(n);
    for (size_t i = 0; i < n; ++i) counts[i] = drawn[clusters.of[i]];
    visit(resample, counts);
  });
}

std::vector<std::optional<double>> bootstrap_figures(size_t n, const ResampledFigure& figure,
                                                     const BootstrapOptions& options,
                                                     uint64_t stream) {
  std::vector<std::optional<double>> figures(n > 0 ? static_cast<size_t>(options.resamples) : 0);
  visit_resamples(n, options, stream,
                  [&](size_t resample, Counts counts) { figures[resample] = figure(counts); });
  return figures;
}

std::optional<Interval> percentile_interval(std::span<const std::optional<double>> figures) {
  std::vector<double> sorted;
  for (const std::optional<double>& figure : figures) {
    if (figure) sorted.push_back(*figure);
  }
  if (sorted.empty()) return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  return Interval{percentile(sorted, 0.025), percentile(sorted, 0.975)};
}

}  // namespace rubric
