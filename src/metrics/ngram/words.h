// Splits texts into words like Python, 64 bytes at a time, and numbers words and n-grams, so that
// n-gram metrics compare integers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace rubric::metrics {

// Bit i tells whether byte i of 64 may start white space. A first filter: true for all bytes up to
// the space and all that are not ASCII.
inline uint64_t possible_spaces(const char* bytes) {
  uint64_t spaces = 0;
#ifdef __SSE2__
  for (int i = 0; i < 64; i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const __m128i is_space = _mm_cmplt_epi8(block, _mm_set1_epi8(' ' + 1));  // of signed bytes
    spaces |= uint64_t{static_cast<uint16_t>(_mm_movemask_epi8(is_space))} << i;
  }
#else
  for (int i = 0; i < 64; ++i) {
    spaces |= uint64_t{static_cast<signed char>(bytes[i]) <= ' '} << i;
  }
#endif
  return spaces;
}

// Calls `use` with the position of every such byte of a text.
template <class Use>
void for_each_possible_space(std::string_view text, const Use& use) {
  for (size_t start = 0; start < text.size(); start += 64) {
    const char* block = text.data() + start;
    char last[64];
    if (text.size() - start < 64) {
      std::memset(last, 'x', sizeof(last));
      std::memcpy(last, block, text.size() - start);
      block = last;
    }
    uint64_t spaces = possible_spaces(block);
    for (; spaces != 0; spaces &= spaces - 1) {
      use(start + static_cast<size_t>(std::countr_zero(spaces)));
    }
  }
}

// Calls `use` with each word of Python's text.split(" "): at least one, which may be empty.
template <class Use>
void split_at_spaces(std::string_view text, const Use& use) {
  const char* word = text.data();
  for_each_possible_space(text, [&](size_t i) {
    const char* const here = text.data() + i;
    if (*here != ' ') return;
    use(std::string_view(word, here));
    word = here + 1;
  });
  use(std::string_view(word, text.data() + text.size()));
}

// The length in bytes of the white space character that starts at `position`; 0 if there is none,
// also inside a character.
inline size_t white_space_at(std::string_view text, size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte < 0x80) return text::is_python_space(byte) ? 1 : 0;
  size_t end = position;
  return text::is_python_space(decode_utf8(text, end)) ? end - position : 0;
}

// Calls `use` with each word of Python's text.split().
template <class Use>
void split_at_white_space(std::string_view text, const Use& use) {
  const char* word = text.data();
  for_each_possible_space(text, [&](size_t i) {
    const size_t length = white_space_at(text, i);
    if (length == 0) return;
    const char* const here = text.data() + i;
    if (here > word) use(std::string_view(word, here));
    word = here + length;
  });
  const char* const end = text.data() + text.size();
  if (end > word) use(std::string_view(word, end));
}

// The number of a word that IdMap does not contain.
constexpr uint32_t kNoId = UINT32_MAX;

// Numbers distinct keys 0, 1, 2 … in order of first occurrence. Open addressing, at most half full;
// its memory is reused between sentences.
template <class Key>  // std::string_view, or uint64_t
class IdMap {
 public:
  // Removes all keys. Must be called before the first add().
  void reset(size_t most_keys) {
    slots_.assign(std::bit_ceil(2 * most_keys + 1), Slot());
    filter_ = 0;
    count_ = 0;
  }

  // Makes room for `more` further keys, for which reset() did not.
  void reserve(size_t more) {
    const size_t wanted = std::bit_ceil(2 * (count_ + more) + 1);
    if (wanted <= slots_.size()) return;
    std::vector<Slot> earlier(wanted);
    earlier.swap(slots_);
    for (const Slot& slot : earlier) {
      if (slot.number != kNoId) slots_[position(slot.key)] = slot;
    }
  }

  uint32_t add(Key key) {
    filter_ |= filter_bit(key);
    Slot& slot = slots_[position(key)];
    if (slot.number == kNoId) slot = {key, count_++};
    return slot.number;
  }
  // The number of a key, else kNoId. The filter makes misses fast: most words of a long answer
  // occur in no reference.
  uint32_t find(Key key) const {
    return (filter_ & filter_bit(key)) == 0 ? kNoId : slots_[position(key)].number;
  }
  uint32_t count() const { return count_; }

 private:
  struct Slot {
    Key key{};
    uint32_t number = kNoId;  // marks a free slot
  };
  static size_t hash(std::string_view word) {
    const size_t size = word.size();
    if (size > 16) return std::hash<std::string_view>()(word);
    // Hashes all bytes, those in the middle perhaps twice; calling std::hash takes longer.
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

  // One of 64 bits, from a few bytes of the key.
  static uint64_t filter_bit(std::string_view word) {
    if (word.empty()) return 1;
    const size_t first = static_cast<unsigned char>(word.front());
    const size_t last = static_cast<unsigned char>(word.back());
    return uint64_t{1} << ((first + 31 * last + 7 * word.size()) % 64);
  }
  static uint64_t filter_bit(uint64_t pair) { return uint64_t{1} << (hash(pair) % 64); }

  size_t position(Key key) const {
    for (size_t i = hash(key);; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.number == kNoId || slot.key == key) return i & (slots_.size() - 1);
    }
  }

  std::vector<Slot> slots_;
  uint64_t filter_ = 0;  // of all keys
  uint32_t count_ = 0;
};

// The references of a row as numbered words, cached for following rows with the same references
// (several systems' answers to one question).
class ReferenceWords {
 public:
  ReferenceWords() = default;
  ~ReferenceWords() = default;
  ReferenceWords(const ReferenceWords&) = delete;  // words_ points into texts_
  ReferenceWords& operator=(const ReferenceWords&) = delete;

  // `split` calls its argument with each word of a text. Returns whether the references differ from
  // those of the last call.
  template <class Split>
  bool read(std::span<const std::string> references, const Split& split) {
    if (std::ranges::equal(references, texts_)) return false;
    texts_.assign(references.begin(), references.end());
    split_.clear();
    ends_.clear();
    for (const std::string& text : texts_) {
      split(text, [&](std::string_view word) { split_.push_back(word); });
      ends_.push_back(split_.size());
    }
    words_.reset(split_.size());
    numbers_.clear();
    for (const std::string_view word : split_) numbers_.push_back(words_.add(word));
    return true;
  }

  size_t size() const { return ends_.size(); }  // references
  // The word numbers of a reference.
  std::span<const uint32_t> operator[](size_t reference) const {
    const size_t start = reference == 0 ? 0 : ends_[reference - 1];
    return std::span(numbers_).subspan(start, ends_[reference] - start);
  }
  size_t words() const { return numbers_.size(); }                          // of all references
  uint32_t distinct_words() const { return words_.count(); }                // numbered from 0 on
  uint32_t find(std::string_view word) const { return words_.find(word); }  // else kNoId

 private:
  std::vector<std::string> texts_;
  std::vector<std::string_view> split_;  // their words
  IdMap<std::string_view> words_;
  std::vector<uint32_t> numbers_;
  std::vector<size_t> ends_;  // of each reference in numbers_
};

}  // namespace rubric::metrics
