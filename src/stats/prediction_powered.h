// The mean that labelling all records would give, from the labels of some and predictions of all:
// prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023) with power
// tuning (PPI++: Angelopoulos, Duchi and Zrnic 2023), also for labels that are drawn in strata or
// with known probabilities, for records in clusters, and for differences of two means. The records
// are fixed, only the draw of labels is random. docs/estimate.md derives the formulas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

// Some of the records that predictions are of. Labels must be finite.
struct LabelledSample {
  std::vector<uint32_t> records;   // their places in predictions
  std::vector<uint32_t> labelled;  // places in `records` of those with a label, ascending; at least
                                   // one
  std::vector<double> labels;      // of these
  // With which each of them was drawn, above 0 and at most 1; empty: alike within each stratum.
  std::vector<double> probabilities = {};
  // Of each of `records`, from 0; each stratum has a label. Empty: one stratum. With probabilities
  // those of labelled records alone are read.
  std::vector<uint32_t> strata = {};
  // The cluster of each of `records`, numbered alike in samples that are compared: records of one
  // cluster may have been drawn together. Empty: each record is its own.
  std::vector<uint32_t> clusters = {};
  // With probabilities and strata: how many units were drawn in each stratum, also among records
  // that are not of this sample. Empty: those of this sample.
  std::vector<double> drawn = {};

  uint32_t stratum(size_t record) const { return strata.empty() ? 0 : strata[record]; }
  uint32_t cluster(size_t record) const {
    return clusters.empty() ? records[record] : clusters[record];
  }
};

// How the labels of an estimate were drawn, and what follows for its error.
struct LabelDraw {
  struct Label {
    uint32_t cluster, side;  // side: 0, or 1 of the sample that is subtracted
    size_t label;            // its place in the sample
  };
  struct Cluster {  // sums of the records' probabilities to be drawn, of their roots and squares
    uint32_t cluster;
    double root = 0, sum = 0, squares = 0;
  };
  struct Side {
    const LabelledSample* sample;
    std::vector<double> weights;          // of labels, with the sum 1
    std::vector<double> scale;            // by which a label's deviation counts for the error
    std::vector<double> records, labels;  // how many there are, by stratum
    std::vector<double> centring;         // see centring_of() in label_draw.cpp
    std::vector<Cluster> clusters;        // of all records, in ascending order
  };
  std::vector<Side> sides;    // one, or two of a difference
  std::vector<Label> labels;  // by cluster, in ascending order
  // From 0, records of one cluster were drawn independently, to 1, all or none of them.
  double whole_clusters = 1;
  // Degrees of freedom of Student's t: m - 1 of m labelled clusters; of strata Satterthwaite's
  // (1946), as if labels varied alike in all; m is Kish's (1965) number if weights are unequal. 0:
  // there is no error, because labels of some stratum are of one cluster only.
  double freedom = 0;
  double contrasts = 0;  // m - 1, less 1 for each further stratum
};

// The share of labels' variance below which what predictions leave of it is rounding. If they leave
// none they are taken to be wrong about one labelled cluster, by as much as labels deviate.
inline constexpr double kExactFit = 1e-12;

// Degrees of freedom of a variance that is a mean of n squared errors with this kurtosis
// (Satterthwaite 1946): about n where errors are normal, whose kurtosis is 3, and fewer where some
// are much larger than others.
double freedom_by_kurtosis(double n, double kurtosis);

// The sample must outlive the draw.
LabelDraw draw_of(const LabelledSample& sample);
LabelDraw difference_of(const LabelDraw& first, const LabelDraw& second);

// The weight of the predictions in an estimate. `none`: labels alone. `tuned`: that which makes the
// variance least, as predictions may be on any scale. `cut`: the same from 0 to 1, of predictions
// that are on the labels' scale because they were fitted to them.
enum class Slope { none, tuned, cut };

struct PoweredMean {
  // What a labelled cluster adds to the value's error. The sum of the squares is the variance.
  struct Influence {
    uint32_t cluster;
    double value;
  };

  double value = 0;
  double standard_error = 0;
  Interval interval;   // 95%, by Student's t, with draw.freedom at most and freedom_by_kurtosis()
  double freedom = 0;  // its degrees
  double p = 1;        // of the value 0, two-sided, by the same
  double lambda = 0;   // the weight of the predictions, as in PPI++; 0: labels alone
  std::vector<Influence> influences = {};  // in ascending order of clusters
};

// The mean label of a sample's records or, of a difference, that of the first less that of the
// second, with one slope for both, which is tuned on the sums by cluster. `predictions` are what
// `records` are places in; Slope::none does not read them. Lambda is 0 if predictions are constant
// in each stratum, all records have a label, or the slope would rest on one cluster or on fewer
// than two degrees of freedom. Needs draw.freedom above 0.
PoweredMean powered_mean(const LabelDraw& draw, std::span<const double> predictions, Slope slope);

// Pearson's correlation of labels and predictions: that of the labelled records, corrected by what
// the predictions of all records say of its first-order error, on Fisher's scale (1915), where the
// interval is symmetric. Without influences. nullopt where the labelled records' correlation is
// undefined or 1 or -1, or a prediction is further than 10^75 of their standard deviations away.
// `draw` is that of one sample.
std::optional<PoweredMean> powered_correlation(const LabelDraw& draw,
                                               std::span<const double> predictions, Slope slope);

}  // namespace rubric::stats
