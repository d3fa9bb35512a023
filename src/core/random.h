// Stateless random numbers: each is a hash of its key, so no generator state needs saving, and the
// same example gets the same numbers on any rank and after a resume.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace rubric {

// What a number is drawn for. It is part of every key, so that two purposes never share a stream.
// The values must never change: every run depends on them.
enum class Purpose : uint64_t {
  shuffle = 1,
  dropout = 3,
  initialise = 4,
  bootstrap = 5,
  permutation = 6,
  identity_pair = 7,
  answer_order = 8,
  split = 9,
  references = 10,
  sampling = 11,
  halves = 12,
  pair = 13,
  behaviour = 14,
  choice = 15,
  label_draw = 16,
  coverage_labels = 18,
  coverage_noise = 19,
  backoff = 20
};

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection whose every output bit
// depends on every input bit.
constexpr uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// 64 uniform bits. Each part is mixed in before the next is added, because plain sums of
// consecutive seeds give correlated streams. A loop over the last part alone is four times as fast
// with what the others give, the stream's key: random_bits(seed, purpose, a, b) is
// mix(stream_key(seed, purpose, a) + b).
constexpr uint64_t stream_key(uint64_t seed, Purpose purpose, uint64_t a) {
  return mix(mix(mix(seed) + static_cast<uint64_t>(purpose)) + a);
}

constexpr uint64_t random_bits(uint64_t seed, Purpose purpose, uint64_t a = 0, uint64_t b = 0) {
  return mix(stream_key(seed, purpose, a) + b);
}

// Uniform in [0, 1).
constexpr double uniform(uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// Uniform in [0, bound); the bias of the multiplication is below bound / 2^64.
constexpr uint64_t below(uint64_t bits, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
}

// A permutation of 0 … size-1 (Fisher-Yates) that depends only on (seed, purpose, stream).
inline std::vector<int64_t> permutation(int64_t size, uint64_t seed, Purpose purpose,
                                        uint64_t stream) {
  std::vector<int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), int64_t{0});
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[below(random_bits(seed, purpose, stream, i), i)]);
  }
  return order;
}

}  // namespace rubric
