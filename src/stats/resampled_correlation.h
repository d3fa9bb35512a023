// The correlations of bootstrap resamples, without drawing the series: what sorting and ranking
// need is prepared once, and each resample is counts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap_part.h"
#include "stats/correlation.h"

namespace rubric {

// Each figure equals that of correlation.h of the series in which record i stands counts[i] times,
// but for rounding. Pearson's and Spearman's take O(n), Kendall's O(n log(distinct values)), of the
// series that has fewer. Safe to call from several threads.
class ResampledCorrelation {
 public:
  // Series of the same length; Error otherwise. Figures of values that are not finite are
  // undefined.
  ResampledCorrelation(std::span<const double> x, std::span<const double> y);

  std::optional<double> pearson(Counts counts) const;
  Correlations all(Counts counts) const;

 private:
  // The distinct values of a series, in their order.
  struct Levels {
    std::vector<uint32_t> of;     // by record
    std::vector<uint32_t> order;  // records, those of each level together
    std::vector<size_t> begin;    // where each level begins in `order`; one more than there are
    size_t count() const { return begin.size() - 1; }
    std::vector<double> drawn(Counts counts) const;  // how many records of each level
  };
  static Levels levels_of(std::span<const double> values);
  std::optional<double> pearson_of_series(Counts counts) const;
  std::optional<double> spearman(Counts counts, const std::vector<double>& drawn_x,
                                 const std::vector<double>& drawn_y) const;
  std::optional<double> kendall(Counts counts, const std::vector<double>& drawn_x,
                                const std::vector<double>& drawn_y) const;

  bool is_finite_ = false;
  std::vector<double> x_, y_;    // as given
  std::vector<double> dx_, dy_;  // deviations from the mean of all, at most 1
  Levels x_levels_, y_levels_;   // of the two, y has the fewer
};

}  // namespace rubric
