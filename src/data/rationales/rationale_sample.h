// A share of a data set's rationales, drawn at random: a sample to train on, or a part to tune on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/records.h"

namespace rubric {

struct RationaleSample {
  std::vector<Rationale> drawn, rest;  // each in the order of the records
};

// Draws `share` (above 0, below 1) of the records, rounded down: those whose id has the least hash
// with the seed, so that a larger sample holds the smaller one.
RationaleSample draw_rationales(std::span<const Rationale> records, double share, uint64_t seed);

}  // namespace rubric
