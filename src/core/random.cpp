#include "core/random.h"

#include <numeric>
#include <utility>

namespace rubric {

std::vector<int64_t> permutation(int64_t size, uint64_t seed, Purpose purpose, uint64_t stream) {
  std::vector<int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), int64_t{0});
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[below(random_bits(seed, purpose, stream, i), i)]);
  }
  return order;
}

}  // namespace rubric
