// Samples of units with unequal probabilities that are known exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rubric::stats {

// Probabilities in proportion to `sizes`, which are above 0, but none above `most`; their sum is
// `count`, which is at most `most` times the number of units.
std::vector<double> inclusion_probabilities(std::span<const double> sizes, double count,
                                            double most);

// Draws each unit with its probability, the sum of which is the number drawn, or as near as whole
// numbers are: systematically, in this order of the units, from a random start (Madow 1949). So of
// neighbours together about as many are drawn as their probabilities sum to. `start` is uniform in
// [0, 1). In the order of the units.
std::vector<size_t> systematic_sample(std::span<const double> probabilities, double start);

}  // namespace rubric::stats
