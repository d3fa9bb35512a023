// Pairwise accuracy with ties, and the calibration of ties (Deutsch, Foster and Freitag 2023, "Ties
// Matter"): of the pairs of records, the share that a metric orders as the human labels do, or
// ties where the labels are equal ("acc_eq").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

// The metric ties two records whose scores differ by at most epsilon. Epsilon is the one with the
// highest accuracy, 0 or the difference of a pair, the smallest of equally good ones, as
// mt-metrics-eval's tau_optimization finds it with acc_23.
//
// A pair is two records of one item. The accuracy is the mean over the items that have pairs: with
// several items it is the paper's "group-by-item", with one item its "no grouping".
class PairwiseAccuracy {
 public:
  // Sorts the pairs with different scores. Where these are too many (kMostPairs, and kMostOfRecord
  // times the records), epsilon is the best of the differences of kCandidates pairs that `seed`
  // draws, each tried in O(n log d), d the number of distinct labels. The accuracy is always that
  // of all pairs. `times`: how many equal records each one is; empty: one. Throws Error for series
  // of different lengths; values must be finite.
  PairwiseAccuracy(std::span<const double> human, std::span<const double> metric,
                   const Clusters& items, uint64_t seed, std::span<const uint32_t> times = {});

  static constexpr size_t kMostPairs = 1 << 18, kMostOfRecord = 16, kCandidates = 1000;

  std::optional<double> value() const;  // nullopt without a pair
  double epsilon() const { return epsilon_; }

  int64_t pairs() const;
  // The accuracy within each item; nullopt for one without a pair.
  std::vector<std::optional<double>> by_item() const;

  // The value in a resample of the records of the only item with this epsilon. `with_themselves`
  // (pairs_with_themselves) are left out: a record that was drawn twice is not a pair. nullopt
  // without a pair. Safe to call from several threads.
  std::optional<double> resampled(Counts counts, int64_t with_themselves) const;

 private:
  // The records of one item with one score and one label.
  struct Cell {
    double score;
    uint32_t level;  // of the label, among those of the item
  };
  struct Item {
    size_t begin = 0, end = 0;  // in cells_
    size_t levels = 0;
    int64_t pairs = 0;
  };

  // Adds the cells of the last item.
  void add_cells(std::span<const uint32_t> records, std::span<const double> human,
                 std::span<const double> metric, std::span<const uint32_t> times);
  int64_t correct_pairs(const Item& item, double epsilon, std::span<const int64_t> counts) const;
  double sum_at(double epsilon) const;  // of the accuracies within the items
  void find_epsilon(std::span<const double> candidates);
  void find_epsilon();
  std::vector<double> drawn_differences(uint64_t seed) const;

  std::vector<Item> items_;           // those with pairs
  std::vector<uint32_t> item_of_;     // by item as given; kNoItem: it has no pairs
  std::vector<Cell> cells_;           // by item, then in ascending order of score and label
  std::vector<int64_t> cell_counts_;  // records of each
  std::vector<uint32_t> by_cell_;     // records, and where each cell begins
  std::vector<size_t> cell_begin_;
  double epsilon_ = 0;
};

// The pairs of drawn records that are one record twice. `counts` counts all records, not distinct
// ones.
int64_t pairs_with_themselves(Counts counts);

}  // namespace rubric::stats
