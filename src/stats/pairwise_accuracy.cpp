#include "stats/pairwise_accuracy.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/context.h"
#include "core/error.h"
#include "core/random.h"
#include "stats/fenwick.h"

namespace rubric::stats {
namespace {

constexpr uint32_t kNoItem = UINT32_MAX;

// Accuracies that differ by less are equal: sums in another order.
constexpr double kSameSum = 1e-9;

int64_t pairs_among(int64_t records) {
  return records * (records - 1) / 2;
}

}  // namespace

PairwiseAccuracy::PairwiseAccuracy(std::span<const double> human, std::span<const double> metric,
                                   const Clusters& items, uint64_t seed,
                                   std::span<const uint32_t> times) {
  if (human.size() != metric.size() || human.size() != items.of.size() ||
      (!times.empty() && human.size() != times.size())) {
    throw Error("each score needs a label and an item");
  }
  std::vector<std::vector<uint32_t>> records(items.count);
  for (size_t i = 0; i < human.size(); ++i) {
    records[items.of[i]].push_back(static_cast<uint32_t>(i));
  }
  const std::vector<uint32_t> once(times.empty() ? human.size() : 0, 1);
  if (times.empty()) times = once;
  item_of_.assign(items.count, kNoItem);
  for (size_t item = 0; item < items.count; ++item) {
    int64_t count = 0;
    for (const uint32_t record : records[item]) count += times[record];
    if (count < 2) continue;
    item_of_[item] = static_cast<uint32_t>(items_.size());
    items_.push_back({cells_.size(), 0, 0, pairs_among(count)});
    add_cells(records[item], human, metric, times);
  }
  cell_begin_.push_back(by_cell_.size());
  size_t pairs_of_cells = 0;
  for (const Item& item : items_) {
    pairs_of_cells += (item.end - item.begin) * (item.end - item.begin - 1) / 2;
  }
  if (pairs_of_cells <= std::max(kMostPairs, kMostOfRecord * human.size())) {
    find_epsilon();
  } else {
    find_epsilon(drawn_differences(seed));
  }
}

void PairwiseAccuracy::add_cells(std::span<const uint32_t> records, std::span<const double> human,
                                 std::span<const double> metric, std::span<const uint32_t> times) {
  std::vector<double> labels;
  for (const uint32_t record : records) labels.push_back(human[record]);
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  std::vector<uint32_t> order(records.begin(), records.end());
  std::ranges::sort(order, {}, [&](uint32_t record) {
    return std::tuple(metric[record], human[record], record);
  });
  Item& item = items_.back();
  for (const uint32_t record : order) {
    const auto level =
        static_cast<uint32_t>(std::ranges::lower_bound(labels, human[record]) - labels.begin());
    const bool is_new = cells_.size() == item.begin || cells_.back().score != metric[record] ||
                        cells_.back().level != level;
    if (is_new) {
      cells_.push_back({metric[record], level});
      cell_counts_.push_back(0);
      cell_begin_.push_back(by_cell_.size());
    }
    cell_counts_.back() += times[record];
    by_cell_.push_back(record);
  }
  item.end = cells_.size();
  item.levels = labels.size();
}

// Goes up through the scores. A pair is correct if both tie it, or if the lower score is lower by
// more than epsilon and has the lower label.
int64_t PairwiseAccuracy::correct_pairs(const Item& item, double epsilon,
                                        std::span<const int64_t> counts) const {
  Fenwick lower(item.levels);              // records below by more than epsilon, by label
  std::vector<int64_t> tied(item.levels);  // those nearer
  int64_t correct = 0;
  size_t start = item.begin;
  for (size_t i = item.begin; i < item.end; ++i) {
    for (; cells_[i].score - cells_[start].score > epsilon; ++start) {
      tied[cells_[start].level] -= counts[start];
      lower.add(cells_[start].level, counts[start]);
    }
    const uint32_t level = cells_[i].level;
    correct += counts[i] * (tied[level] + lower.below(level)) + pairs_among(counts[i]);
    tied[level] += counts[i];
  }
  return correct;
}

double PairwiseAccuracy::sum_at(double epsilon) const {
  double sum = 0;
  for (const Item& item : items_) {
    sum += static_cast<double>(correct_pairs(item, epsilon, cell_counts_)) /
           static_cast<double>(item.pairs);
  }
  return sum;
}

void PairwiseAccuracy::find_epsilon() {
  struct Change {
    double difference, gain;  // of the sum of accuracies where epsilon reaches the difference
  };
  std::vector<Change> changes;
  for (const Item& item : items_) {
    for (size_t a = item.begin; a < item.end; ++a) {
      for (size_t b = a + 1; b < item.end; ++b) {
        const double difference = cells_[b].score - cells_[a].score;
        if (difference == 0 || cells_[a].level > cells_[b].level) continue;  // no change
        const auto pairs = static_cast<double>(cell_counts_[a] * cell_counts_[b]);
        const double gain = cells_[a].level == cells_[b].level ? pairs : -pairs;
        changes.push_back({difference, gain / static_cast<double>(item.pairs)});
      }
    }
  }
  std::ranges::sort(changes, {}, &Change::difference);
  double gained = 0, best = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    gained += changes[i].gain;
    const bool is_last =
        i + 1 == changes.size() || changes[i + 1].difference != changes[i].difference;
    if (!is_last || gained <= best + kSameSum) continue;
    best = gained;
    epsilon_ = changes[i].difference;
  }
}

void PairwiseAccuracy::find_epsilon(std::span<const double> candidates) {
  double best = sum_at(0);
  for (const double candidate : candidates) {
    end_if_stop_requested();
    const double sum = sum_at(candidate);
    if (sum <= best + kSameSum) continue;
    best = sum;
    epsilon_ = candidate;
  }
}

// In ascending order.
std::vector<double> PairwiseAccuracy::drawn_differences(uint64_t seed) const {
  std::vector<int64_t> end;  // of each cell, when its records stand one after another
  for (const int64_t count : cell_counts_) end.push_back((end.empty() ? 0 : end.back()) + count);
  const auto score_of = [&](uint64_t record) {
    const auto cell = std::ranges::upper_bound(end, static_cast<int64_t>(record)) - end.begin();
    return cells_[static_cast<size_t>(cell)].score;
  };
  std::vector<double> differences;
  for (size_t i = 0; i < kCandidates; ++i) {
    const uint64_t first =
        below(random_bits(seed, Purpose::pair, i, 0), static_cast<uint64_t>(end.back()));
    const auto item = std::ranges::find_if(
        items_, [&](const Item& each) { return first < static_cast<uint64_t>(end[each.end - 1]); });
    const auto begin = static_cast<uint64_t>(item->begin == 0 ? 0 : end[item->begin - 1]),
               size = static_cast<uint64_t>(end[item->end - 1]) - begin;
    const uint64_t second = begin + below(random_bits(seed, Purpose::pair, i, 1), size);
    differences.push_back(std::abs(score_of(first) - score_of(second)));
  }
  std::ranges::sort(differences);
  differences.erase(std::unique(differences.begin(), differences.end()), differences.end());
  return differences;
}

int64_t PairwiseAccuracy::pairs() const {
  int64_t sum = 0;
  for (const Item& item : items_) sum += item.pairs;
  return sum;
}

std::optional<double> PairwiseAccuracy::value() const {
  if (items_.empty()) return std::nullopt;
  return sum_at(epsilon_) / static_cast<double>(items_.size());
}

std::vector<std::optional<double>> PairwiseAccuracy::by_item() const {
  std::vector<std::optional<double>> values;
  for (const uint32_t number : item_of_) {
    values.emplace_back();
    if (number == kNoItem) continue;
    const Item& item = items_[number];
    values.back() = static_cast<double>(correct_pairs(item, epsilon_, cell_counts_)) /
                    static_cast<double>(item.pairs);
  }
  return values;
}

std::optional<double> PairwiseAccuracy::resampled(Counts counts, int64_t with_themselves) const {
  if (items_.size() != 1) return std::nullopt;
  std::vector<int64_t> drawn(cells_.size());
  int64_t n = 0;
  for (size_t cell = 0; cell < cells_.size(); ++cell) {
    int64_t sum = 0;
    for (size_t i = cell_begin_[cell]; i < cell_begin_[cell + 1]; ++i) sum += counts[by_cell_[i]];
    drawn[cell] = sum;
    n += sum;
  }
  const int64_t pairs = pairs_among(n) - with_themselves;
  if (pairs == 0) return std::nullopt;
  const int64_t correct = correct_pairs(items_.front(), epsilon_, drawn) - with_themselves;
  return static_cast<double>(correct) / static_cast<double>(pairs);
}

int64_t pairs_with_themselves(Counts counts) {
  uint64_t n = 0, squares = 0;
  for (const uint64_t count : counts) {
    n += count;
    squares += count * count;
  }
  return static_cast<int64_t>((squares - n) / 2);
}

}  // namespace rubric::stats
