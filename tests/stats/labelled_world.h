// Records with predictions and labels, and random draws of labels, for tests of what is estimated.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "stats/prediction_powered.h"

namespace rubric::stats {

inline std::vector<uint32_t> first_records(size_t n) {
  std::vector<uint32_t> records(n);
  std::iota(records.begin(), records.end(), 0U);
  return records;
}

// Records with labels by which predictions were made. What is estimated is known.
struct World {
  std::vector<double> labels, predictions;
  std::vector<uint32_t> clusters = {}, strata = {};

  double truth() const { return mean(labels); }
};

inline double draw_uniform(uint64_t seed, uint64_t what, size_t i) {
  return uniform(random_bits(seed, Purpose::bootstrap, what, i));
}

// label = prediction / 2 + noise
inline World linear_world(size_t records, uint64_t seed) {
  World world;
  for (size_t i = 0; i < records; ++i) {
    world.predictions.push_back(10 * draw_uniform(seed, 1, i));
    world.labels.push_back(world.predictions.back() / 2 + 2 * draw_uniform(seed, 2, i));
  }
  return world;
}

inline void label(const World& world, uint32_t record, LabelledSample& sample) {
  sample.labelled.push_back(record);
  sample.labels.push_back(world.labels[sample.records[record]]);
}

// The sample of all records, in which those from `first` to `end` with a number below `n` in a
// random order have labels.
inline void label_some(const World& world, size_t n, size_t first, size_t end, uint64_t seed,
                       LabelledSample& sample) {
  const auto size = static_cast<int64_t>(end - first);
  const std::vector<int64_t> order = permutation(size, seed, Purpose::bootstrap, first);
  for (size_t i = first; i < end; ++i) {
    if (order[i - first] < static_cast<int64_t>(n)) label(world, static_cast<uint32_t>(i), sample);
  }
}

inline LabelledSample sample_of(const World& world) {
  return {first_records(world.labels.size()), {}, {}, {}, world.strata, world.clusters};
}

inline LabelledSample drawn(const World& world, size_t n, uint64_t seed) {
  LabelledSample sample = sample_of(world);
  label_some(world, n, 0, world.labels.size(), seed, sample);
  return sample;
}

// Six answers to each of 300 questions. The metric's errors are of the question, and with whole
// questions drawn the metric hardly helps, though it tells the answers to one apart.
inline World clustered_world() {
  World world;
  for (uint32_t i = 0; i < 1800; ++i) {
    world.clusters.push_back(i / 6);
    const double own = draw_uniform(5, 1, i);
    world.labels.push_back(own + draw_uniform(5, 2, i / 6) / 3);
    world.predictions.push_back(own + 2 * draw_uniform(5, 3, i / 6));
  }
  return world;
}

}  // namespace rubric::stats
