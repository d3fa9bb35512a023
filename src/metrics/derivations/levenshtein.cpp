#include "metrics/derivations/derivation_scores.h"

namespace rubric::metrics {
namespace {

constexpr size_t kBits = 64;

// The vertical differences in a column of the distance matrix, one bit a row: `up` where the value
// is one more than in the row above, `down` where it is one less.
struct Block {
  uint64_t up = ~uint64_t{0}, down = 0;
};

// The horizontal difference of a row: one more, or one less, than in the column to the left.
struct Carry {
  uint64_t more = 0, less = 0;  // 0 or 1
};

}  // namespace

LevenshteinPattern::LevenshteinPattern(std::u32string_view text)
    : size_(text.size()), blocks_((text.size() + kBits - 1) / kBits), ascii_(kAscii * blocks_) {
  for (size_t i = 0; i < text.size(); ++i) {
    const uint64_t bit = uint64_t{1} << (i % kBits);
    if (text[i] < kAscii) {
      ascii_[text[i] * blocks_ + i / kBits] |= bit;
    } else {
      std::vector<Places>& places = others_[text[i]];
      if (places.empty() || places.back().block != i / kBits) places.push_back({i / kBits, 0});
      places.back().bits |= bit;
    }
  }
}

int64_t LevenshteinPattern::distance(std::u32string_view other) const {
  if (size_ == 0) return static_cast<int64_t>(other.size());
  const size_t last = (size_ - 1) % kBits;  // bit of the text's end in the last block
  std::vector<Block> column(blocks_);
  auto distance = static_cast<int64_t>(size_);
  std::vector<uint64_t> others_equal(blocks_);  // positions of a non-ASCII character
  const std::vector<Places>* shown = nullptr;   // whose bits others_equal holds
  for (const char32_t c : other) {
    if (shown != nullptr) {
      for (const Places& places : *shown) others_equal[places.block] = 0;
      shown = nullptr;
    }
    const auto found = c < kAscii ? others_.end() : others_.find(c);
    if (found != others_.end()) {
      shown = &found->second;
      for (const Places& places : *shown) others_equal[places.block] = places.bits;
    }
    const uint64_t* const equal = c < kAscii ? &ascii_[c * blocks_] : others_equal.data();
    Carry carry{1, 0};  // row 0 grows by one with each character of `other`
    for (size_t i = 0; i < blocks_; ++i) {
      Block& block = column[i];
      const uint64_t matches = equal[i] | carry.less;
      const uint64_t diagonal =
          (((matches & block.up) + block.up) ^ block.up) | matches | block.down;
      uint64_t more = block.down | ~(diagonal | block.up);
      uint64_t less = diagonal & block.up;
      const size_t end = i + 1 == blocks_ ? last : kBits - 1;
      const Carry out{(more >> end) & 1, (less >> end) & 1};
      more = (more << 1) | carry.more;
      less = (less << 1) | carry.less;
      block.up = less | ~(diagonal | more);
      block.down = more & diagonal;
      carry = out;
    }
    distance += static_cast<int64_t>(carry.more) - static_cast<int64_t>(carry.less);
  }
  return distance;
}

}  // namespace rubric::metrics
