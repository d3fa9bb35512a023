// Whether labelled records can be a random draw of all: a permutation test of what is known of all
// records, their predictions.
//
// Of N records with predictions f and the mean f̄, n are labelled (L). Of each series of predictions
// and each part of the records (a system) two statistics are looked at:
//
//   mean      Σ_L f / n
//   variance  Σ_L (f − f̄)² / n
//
// Under the null hypothesis every cluster (question) with the same number of records in each part
// and stratum could have had the labels of any other. So a draw permutes which clusters have which
// of their records labelled, among clusters that are alike. That holds for records that were drawn
// one by one (then n of N labels are drawn without replacement, and of predictions 0 and 1 the
// labelled sum is hypergeometric) and for clusters that were drawn whole, with any shares of labels
// in the parts and strata: it need not be known which it was.
//
// Each statistic is standardised by its mean and standard deviation over kRandomDraws draws and the
// labels themselves. A statistic of the labels whose |z| is larger than that of every statistic of
// every draw is reported. The labels are as likely as any draw to have the largest of these
// kRandomDraws + 1, so a true draw is taken for none with probability 1 / (kRandomDraws + 1) =
// 0.1%, and so is any part of it beside parts that are none, however many statistics there are and
// however they depend on each other (Westfall and Young 1993, whose largest statistic takes the
// place of Bonferroni's correction); it is two-sided, and exact for predictions of any
// distribution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

inline constexpr int64_t kRandomDraws = 999;

struct DrawnRecords {
  std::span<const std::vector<double>> predictions;  // [series][record]
  std::span<const uint32_t> parts;                   // of each record, from 0
  std::span<const uint32_t> strata;                  // of each record; empty: one
  const Clusters& clusters;
  std::span<const uint32_t> labelled;  // ascending
};

// A part's statistic that is furthest from that of draws: a mean if one is as far off as no draw's.
struct UnlikelyStatistic {
  size_t series = 0;
  uint32_t part = 0;
  bool is_variance = false;
  int64_t labels = 0, records = 0;   // of the part
  double of_labels = 0, of_all = 0;  // the mean or the variance
};

// One of each part whose labels are no random draw, in the order of parts. Nothing is said where
// all or no records are labelled, or predictions are constant.
std::vector<UnlikelyStatistic> unlike_random_draws(const DrawnRecords& records, uint64_t seed);

}  // namespace rubric::stats
