#include <algorithm>
#include <limits>

#include "metrics/derivations/derivation_scores.h"

namespace rubric::metrics {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

// The row of each column; there must be at most as many rows as columns. Assigns rows one by one,
// each along the cheapest alternating path in reduced costs, which the potentials keep
// non-negative.
std::vector<size_t> rows_of_columns(const std::vector<std::vector<double>>& weights) {
  const size_t rows = weights.size(), columns = weights[0].size();
  std::vector<double> row_potential(rows, 0), column_potential(columns + 1, 0);
  std::vector<size_t> row_of(columns + 1, kNone);  // the last column is the start of every path
  for (size_t row = 0; row < rows; ++row) {
    std::vector<double> cheapest(columns, std::numeric_limits<double>::infinity());
    std::vector<size_t> previous(columns, columns);
    std::vector<bool> is_reached(columns + 1, false);
    size_t at = columns;
    row_of[at] = row;
    while (row_of[at] != kNone) {
      is_reached[at] = true;
      const size_t from = row_of[at];
      size_t next = kNone;
      for (size_t column = 0; column < columns; ++column) {
        if (is_reached[column]) continue;
        const double cost = -weights[from][column] - row_potential[from] - column_potential[column];
        if (cost < cheapest[column]) {
          cheapest[column] = cost;
          previous[column] = at;
        }
        if (next == kNone || cheapest[column] < cheapest[next]) next = column;
      }
      const double step = cheapest[next];
      for (size_t column = 0; column <= columns; ++column) {
        if (is_reached[column]) {
          row_potential[row_of[column]] += step;
          column_potential[column] -= step;
        } else if (column < columns) {
          cheapest[column] -= step;
        }
      }
      at = next;
    }
    for (; at != columns; at = previous[at]) row_of[at] = row_of[previous[at]];
  }
  row_of.pop_back();
  return row_of;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> best_assignment(
    const std::vector<std::vector<double>>& weights) {
  std::vector<std::pair<size_t, size_t>> pairs;
  if (weights.empty() || weights[0].empty()) return pairs;
  if (weights.size() > weights[0].size()) {
    std::vector<std::vector<double>> turned(weights[0].size(), std::vector<double>(weights.size()));
    for (size_t i = 0; i < weights.size(); ++i) {
      for (size_t j = 0; j < turned.size(); ++j) turned[j][i] = weights[i][j];
    }
    pairs = best_assignment(turned);
    for (auto& [row, column] : pairs) std::swap(row, column);
  } else {
    const std::vector<size_t> row_of = rows_of_columns(weights);
    for (size_t column = 0; column < row_of.size(); ++column) {
      if (row_of[column] != kNone) pairs.emplace_back(row_of[column], column);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace rubric::metrics
