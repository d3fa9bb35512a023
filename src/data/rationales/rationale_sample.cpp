#include "data/rationales/rationale_sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/hash.h"
#include "core/random.h"

namespace rubric {

RationaleSample draw_rationales(std::span<const Rationale> records, double share, uint64_t seed) {
  constexpr double kRounding = 1e-9;  // 0.29 of 100 is 29, although the product is a little less
  const auto count =
      static_cast<size_t>(std::floor(share * static_cast<double>(records.size()) + kRounding));
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < records.size(); ++i) {
    order.emplace_back(random_bits(seed, Purpose::split, sha256_bits(records[i].id)), i);
  }
  std::ranges::sort(order);
  std::vector<char> is_drawn(records.size(), 0);
  for (size_t i = 0; i < count; ++i) is_drawn[order[i].second] = 1;
  RationaleSample sample;
  for (size_t i = 0; i < records.size(); ++i) {
    (is_drawn[i] != 0 ? sample.drawn : sample.rest).push_back(records[i]);
  }
  return sample;
}

}  // namespace rubric
