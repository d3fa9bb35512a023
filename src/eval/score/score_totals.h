// Scores over all rows, from those of rows that may come in parts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rubric/records.h"
#include "rubric/scoring.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// What the scores of a metric over all rows are computed from.
class ScoreTotals {
 public:
  // `clusters`: of each row. All of a metric's scores have the same names.
  void add(const Scores& scores, std::span<const uint32_t> clusters);

  const std::vector<std::string>& names() const { return names_; }
  int64_t rows() const { return rows_; }
  bool is_corpus() const { return corpus_scores_ != nullptr; }
  const std::vector<size_t>& truncated() const { return truncated_; }  // Scores::truncated
  const stats::ClusterSums& sums() const { return by_cluster_; }  // of its statistics or scores
  std::vector<double> values() const { return values_of(totals_, static_cast<double>(rows_)); }
  // The scores, by name, of rows with these sums.
  std::vector<double> values_of(std::span<const double> sums, double rows) const;

 private:
  std::vector<std::string> names_;
  std::function<std::vector<double>(std::span<const double> sums)> corpus_scores_;
  int64_t rows_ = 0;
  std::vector<size_t> truncated_;
  std::vector<double> totals_;  // of all rows, in their order
  stats::ClusterSums by_cluster_;
};

// Every score of every metric over all rows, with its bootstrap interval over clusters; all are
// computed of the same resamples. The metrics have scored the same rows, and at least one. `order`:
// the clusters' numbers, in an order that does not depend on that of the rows.
std::vector<FileScore> scores_over_rows(std::span<const ScoreTotals> metrics,
                                        std::span<const std::string> signatures,
                                        std::span<const uint32_t> order);

}  // namespace rubric::eval
