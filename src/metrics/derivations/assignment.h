// The best one-to-one assignment.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rubric {

// Pairs (row, column) that maximise the sum of weights[row][column], each row and each column in at
// most one pair: min(rows, columns) pairs, ordered by row. The Hungarian method with potentials
// (Kuhn 1955; Jonker and Volgenant 1987), rows² · columns steps. Weights are finite; all rows have
// the same length.
std::vector<std::pair<size_t, size_t>> best_assignment(
    const std::vector<std::vector<double>>& weights);

}  // namespace rubric
