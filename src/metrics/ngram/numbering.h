// Small numbers for words and for pairs of numbers, so that n-gram metrics compare integers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace rubric {

constexpr uint32_t kUnnumbered = UINT32_MAX;

// Numbers distinct keys 0, 1, 2 … in the order of their first sight. Open addressing, at most half
// full, in memory that is kept from one sentence to the next.
template <class Key>  // std::string_view, or uint64_t
class Numbering {
 public:
  // Forgets all keys. Called before the first is added.
  void reset(size_t most_keys) {
    slots_.assign(std::bit_ceil(2 * most_keys + 1), Slot());
    glances_ = 0;
    count_ = 0;
  }

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
  static size_t hash(std::string_view word) {
    const size_t size = word.size();
    if (size > 16) return std::hash<std::string_view>()(word);
    // Of all bytes, those in the middle perhaps twice; std::hash is a call that takes longer.
    const auto load = [&](auto part, size_t position) {
      std::memcpy(&part, word.data() + position, sizeof(part));
      return uint64_t{part};
    };
    if (size >= 8) return mix(mix(load(uint64_t{}, 0)) + load(uint64_t{}, size - 8) + size);
    if (size >= 4) return mix(load(uint32_t{}, 0) << 32 | load(uint32_t{}, size - 4)) + size;
    if (size == 0) return 0;
    return mix(load(uint8_t{}, 0) << 16 | load(uint8_t{}, size / 2) << 8 |
               load(uint8_t{}, size - 1));
  }
  static size_t hash(uint64_t pair) { return mix(pair); }

  // One of 64 bits, from little of the key.
  static uint64_t glance(std::string_view word) {
    if (word.empty()) return 1;
    const size_t first = static_cast<unsigned char>(word.front());
    const size_t last = static_cast<unsigned char>(word.back());
    return uint64_t{1} << ((first + 31 * last + 7 * word.size()) % 64);
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
