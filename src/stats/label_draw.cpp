#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "stats/prediction_powered.h"

namespace rubric::stats {

namespace {

using Side = LabelDraw::Side;
using Cluster = LabelDraw::Cluster;

constexpr double kAlmostAll = 1 - 1e-12;  // a share above is all but for rounding

void count_strata(const LabelledSample& sample, Side& side) {
  uint32_t last = 0;
  for (const uint32_t record : sample.labelled) last = std::max(last, sample.stratum(record));
  side.records.assign(size_t{last} + 1, 0);
  side.labels.assign(size_t{last} + 1, 0);
  for (const uint32_t record : sample.labelled) side.labels[sample.stratum(record)] += 1;
  if (!sample.probabilities.empty()) return;
  for (size_t i = 0; i < sample.records.size(); ++i) side.records[sample.stratum(i)] += 1;
}

// With known probabilities: as many as the labels stand for.
void estimate_records(Side& side) {
  const LabelledSample& sample = *side.sample;
  if (sample.probabilities.empty()) return;
  for (size_t l = 0; l < side.weights.size(); ++l) {
    side.records[sample.stratum(sample.labelled[l])] +=
        side.weights[l] * static_cast<double>(sample.records.size());
  }
}

// With which label `l` was drawn.
double probability_of(const Side& side, size_t l) {
  const LabelledSample& sample = *side.sample;
  if (!sample.probabilities.empty()) return sample.probabilities[l];
  const uint32_t stratum = sample.stratum(sample.labelled[l]);
  return side.labels[stratum] / side.records[stratum];
}

// Weights are 1 / probability (Horvitz and Thompson 1952), divided by their sum (Hájek 1971).
std::vector<double> weights_of(const Side& side) {
  std::vector<double> weights;
  double sum = 0;
  for (size_t l = 0; l < side.sample->labels.size(); ++l) {
    weights.push_back(1 / probability_of(side, l));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// The labelled clusters of a stratum, by their weights.
struct StratumClusters {
  std::map<uint32_t, double> weights = {};
  double sum = 0, squares = 0;
  double unlabelled = 0;  // the mean share of records without label, by weight
  // Of the units that were drawn in the stratum those that have labels in this sample.
  double fraction = 1;
};

std::vector<StratumClusters> clusters_of_strata(const Side& side) {
  const LabelledSample& sample = *side.sample;
  std::vector<StratumClusters> strata(side.records.size());
  for (size_t l = 0; l < side.weights.size(); ++l) {
    const uint32_t record = sample.labelled[l];
    StratumClusters& stratum = strata[sample.stratum(record)];
    stratum.weights[sample.cluster(record)] += side.weights[l];
    stratum.sum += side.weights[l];
    stratum.unlabelled += side.weights[l] * (1 - probability_of(side, l));
  }
  for (StratumClusters& stratum : strata) {
    for (const auto& [cluster, weight] : stratum.weights) stratum.squares += weight * weight;
    stratum.unlabelled /= stratum.sum;
  }
  for (size_t h = 0; h < sample.drawn.size(); ++h) {
    strata[h].fraction =
        std::min(static_cast<double>(strata[h].weights.size()) / sample.drawn[h], 1.0);
  }
  return strata;
}

// How much a deviation is one from the mean of the stratum, and how much from that of all. If n of
// the m units that were drawn in a stratum have labels x in the sample, and the others none, which
// is a deviation too, then the sum of squared deviations is sum x^2 - (sum x)^2 / m. That is the
// sum of (x - t mean)^2 over the n for t = 1 - sqrt(1 - n / m).
std::vector<double> centring_of(const std::vector<StratumClusters>& strata) {
  std::vector<double> centring;
  for (const StratumClusters& stratum : strata) {
    centring.push_back(1 - std::sqrt(1 - stratum.fraction));
  }
  return centring;
}

void set_freedom(const std::vector<StratumClusters>& strata, LabelDraw& draw) {
  double variance = 0, squares = 0, effective = 0;
  for (const StratumClusters& stratum : strata) {
    const auto clusters = static_cast<double>(stratum.weights.size());
    if (clusters <= stratum.fraction) return;
    const double freedom = stratum.sum * stratum.sum / stratum.squares - stratum.fraction;
    const double part = stratum.squares * stratum.unlabelled;
    variance += part;
    squares += part * part / freedom;
    effective += freedom;
    draw.contrasts += clusters - stratum.fraction;
  }
  // Strata may have labels of the same clusters.
  double clusters = 1;
  for (size_t i = 1; i < draw.labels.size(); ++i) {
    clusters += draw.labels[i].cluster != draw.labels[i - 1].cluster ? 1 : 0;
  }
  draw.contrasts = std::min(draw.contrasts, clusters - 1);
  draw.freedom = std::min(squares > 0 ? variance * variance / squares : effective, draw.contrasts);
}

// A label's deviation from its stratum's mean, which it is a part of, is too small by its cluster's
// share of the weights: its square by 1 - share on average, and by more for the greatest of unequal
// weights, where the jackknife's correction is used. It says nothing where all records have labels.
std::vector<double> scale_of(const Side& side, const std::vector<StratumClusters>& strata) {
  const LabelledSample& sample = *side.sample;
  const double power = sample.probabilities.empty() ? 0.5 : 1;
  std::vector<double> scale;
  for (size_t l = 0; l < side.weights.size(); ++l) {
    const uint32_t record = sample.labelled[l];
    const StratumClusters& stratum = strata[sample.stratum(record)];
    const double share =
        stratum.fraction * stratum.weights.at(sample.cluster(record)) / stratum.sum;
    const double correction = share > kAlmostAll ? 0 : std::pow(1 - share, -power);
    scale.push_back(side.weights[l] * std::sqrt(1 - probability_of(side, l)) * correction);
  }
  return scale;
}

std::vector<Cluster> clusters_of(const Side& side) {
  const LabelledSample& sample = *side.sample;
  std::vector<std::pair<uint32_t, uint32_t>> records;  // cluster and stratum
  for (size_t i = 0; i < sample.records.size(); ++i) {
    records.emplace_back(sample.cluster(i), sample.stratum(i));
  }
  if (!std::ranges::is_sorted(records)) std::ranges::sort(records);
  // Of known probabilities those of records without label are not known: their mean serves.
  const bool is_known = !sample.probabilities.empty();
  const double mean =
      static_cast<double>(sample.labels.size()) / static_cast<double>(records.size());
  std::vector<Cluster> clusters;
  for (const auto& [cluster, stratum] : records) {
    if (clusters.empty() || clusters.back().cluster != cluster) clusters.push_back({cluster});
    const double probability = is_known ? mean : side.labels[stratum] / side.records[stratum];
    clusters.back().root += std::sqrt(probability);
    clusters.back().sum += probability;
    clusters.back().squares += probability * probability;
  }
  return clusters;
}

// The clusters of all sides.
std::vector<Cluster> joint_clusters(const LabelDraw& draw) {
  std::vector<Cluster> all = draw.sides.front().clusters;
  if (draw.sides.size() == 1) return all;
  const std::vector<Cluster>& more = draw.sides.back().clusters;
  std::vector<Cluster> merged;
  std::ranges::merge(all, more, std::back_inserter(merged), {}, &Cluster::cluster,
                     &Cluster::cluster);
  std::vector<Cluster> joint;
  for (const Cluster& each : merged) {
    if (joint.empty() || joint.back().cluster != each.cluster) {
      joint.push_back(each);
      continue;
    }
    joint.back().root += each.root;
    joint.back().sum += each.sum;
    joint.back().squares += each.squares;
  }
  return joint;
}

// Where the number of pairs of labels in one cluster lies between those to be expected.
double share_of_whole_clusters(const LabelDraw& draw) {
  double observed = 0, independent = 0, whole = 0;
  for (size_t i = 0; i < draw.labels.size();) {
    size_t end = i;
    while (end < draw.labels.size() && draw.labels[end].cluster == draw.labels[i].cluster) ++end;
    const auto count = static_cast<double>(end - i);
    observed += count * (count - 1);
    i = end;
  }
  if (observed == 0) return 1;
  for (const Cluster& cluster : joint_clusters(draw)) {
    independent += cluster.sum * cluster.sum - cluster.squares;
    whole += cluster.root * cluster.root - cluster.sum;
  }
  constexpr double kRounding = 1e-9;
  if (whole - independent <= kRounding * whole) return 1;
  return std::clamp((observed - independent) / (whole - independent), 0.0, 1.0);
}

}  // namespace

LabelDraw draw_of(const LabelledSample& sample) {
  LabelDraw draw;
  Side& side = draw.sides.emplace_back(Side{&sample, {}, {}, {}, {}, {}, {}});
  count_strata(sample, side);
  side.weights = weights_of(side);
  estimate_records(side);
  const std::vector<StratumClusters> strata = clusters_of_strata(side);
  side.scale = scale_of(side, strata);
  side.centring = centring_of(strata);
  side.clusters = clusters_of(side);
  for (size_t l = 0; l < sample.labels.size(); ++l) {
    draw.labels.push_back({sample.cluster(sample.labelled[l]), 0, l});
  }
  std::ranges::stable_sort(draw.labels, {}, &LabelDraw::Label::cluster);
  set_freedom(strata, draw);
  draw.whole_clusters = share_of_whole_clusters(draw);
  return draw;
}

LabelDraw difference_of(const LabelDraw& first, const LabelDraw& second) {
  LabelDraw draw = first;
  draw.sides.push_back(second.sides.front());
  for (LabelDraw::Label label : second.labels) {
    label.side = 1;
    draw.labels.push_back(label);
  }
  std::ranges::stable_sort(draw.labels, {}, &LabelDraw::Label::cluster);
  // The fewer labels are what limits the difference.
  draw.freedom = std::min(first.freedom, second.freedom);
  draw.contrasts = std::min(first.contrasts, second.contrasts);
  draw.whole_clusters = share_of_whole_clusters(draw);
  return draw;
}

}  // namespace rubric::stats
