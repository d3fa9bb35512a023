// Small numbers for words and for pairs of numbers, so that n-gram metrics compare integers.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace rubric {

constexpr uint32_t kUnnumbered = UINT32_MAX;

// Numbers distinct keys 0, 1, 2 … in the order of their first sight. Open addressing, at most half
// full: one allocation for a sentence, where a node-based map makes one for each word.
template <class Key>  // std::string_view, or uint64_t
class Numbering {
 public:
  explicit Numbering(size_t most_keys) : slots_(std::bit_ceil(2 * most_keys + 1)) {}

  uint32_t add(Key key) {
    glances_ |= glance(key);
    Slot& slot = slots_[position(key)];
    if (slot.number == kUnnumbered) slot = {key, count_++};
    return slot.number;
  }
  // Its number, else kUnnumbered. Most words of a long answer stand in no reference: a glance
  // tells.
  uint32_t find(Key key) const {
    return (glances_ & glance(key)) == 0 ? kUnnumbered : slots_[position(key)].number;
  }
  uint32_t count() const { return count_; }

 private:
  struct Slot {
    Key key{};
    uint32_t number = kUnnumbered;  // marks a free slot
  };
  static size_t hash(std::string_view word) { return std::hash<std::string_view>()(word); }
  static size_t hash(uint64_t pair) { return mix(pair); }

  // One of 64 bits, from little of the key.
  static uint64_t glance(std::string_view word) {
    const size_t first = word.empty() ? 0 : static_cast<unsigned char>(word.front());
    return uint64_t{1} << ((first + 7 * word.size()) % 64);
  }
  static uint64_t glance(uint64_t pair) { return uint64_t{1} << (hash(pair) % 64); }

  size_t position(Key key) const {
    for (size_t i = hash(key);; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.number == kUnnumbered || slot.key == key) return i & (slots_.size() - 1);
    }
  }

  std::vector<Slot> slots_;
  uint64_t glances_ = 0;  // of all keys
  uint32_t count_ = 0;
};

}  // namespace rubric
