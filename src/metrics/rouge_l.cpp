#include "metrics/rouge_l.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

namespace rubric {
namespace {

// Python's text.split(" "): always at least one word, which may be empty.
std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  words.reserve(16);
  for (;;) {
    const size_t blank = text.find(' ');
    words.push_back(text.substr(0, blank));
    if (blank == std::string_view::npos) return words;
    text.remove_prefix(blank + 1);
  }
}

// Where each word stands among up to 64 words, as a bit mask.
class Positions {
 public:
  explicit Positions(std::span<const std::string_view> words) {
    for (size_t i = 0; i < words.size(); ++i) {
      Slot& slot = slots_[find(words[i])];
      slot.word = words[i];
      slot.mask |= uint64_t{1} << i;
    }
  }
  uint64_t of(std::string_view word) const { return slots_[find(word)].mask; }

 private:
  struct Slot {
    std::string_view word;
    uint64_t mask = 0;  // 0 marks a free slot
  };
  static constexpr size_t kSlots = 128;  // open addressing, at most half full

  size_t find(std::string_view word) const {
    size_t i = std::hash<std::string_view>()(word) % kSlots;
    while (slots_[i].mask != 0 && slots_[i].word != word) i = (i + 1) % kSlots;
    return i;
  }

  std::array<Slot, kSlots> slots_;
};

// The length of the longest common subsequence, 64 words of `a` at a time in one machine word
// (Hyyrö 2004): a 0 in `row` at position i says that the subsequence grows by one there. What the
// addition carries out of one block goes into the next.
size_t longest_common_subsequence(std::span<const std::string_view> a,
                                  std::span<const std::string_view> b) {
  std::vector<uint8_t> carries(b.size());
  size_t length = 0;
  for (size_t start = 0; start < a.size(); start += 64) {
    const size_t width = std::min<size_t>(64, a.size() - start);
    const Positions positions(a.subspan(start, width));
    uint64_t row = ~uint64_t{0};
    for (size_t j = 0; j < b.size(); ++j) {
      const uint64_t matches = positions.of(b[j]) & row;
      uint64_t sum = 0;
      const bool overflow = __builtin_add_overflow(row, matches, &sum);
      const bool overflow_of_carry = __builtin_add_overflow(sum, uint64_t{carries[j]}, &sum);
      carries[j] = overflow || overflow_of_carry ? 1 : 0;
      row = sum | (row & ~matches);
    }
    const uint64_t used = ~uint64_t{0} >> (64 - width);
    length += static_cast<size_t>(std::popcount(~row & used));
  }
  return length;
}

}  // namespace

double rouge_l(std::span<const std::string> references, std::string_view candidate) {
  constexpr double kBetaSquared = 1.2 * 1.2;
  const std::vector<std::string_view> candidate_words = split_at_blanks(candidate);
  double precision = 0, recall = 0;
  for (const std::string& reference : references) {
    const std::vector<std::string_view> reference_words = split_at_blanks(reference);
    const auto common =
        static_cast<double>(longest_common_subsequence(candidate_words, reference_words));
    precision = std::max(precision, common / static_cast<double>(candidate_words.size()));
    recall = std::max(recall, common / static_cast<double>(reference_words.size()));
  }
  if (precision == 0 || recall == 0) return 0;
  return (1 + kBetaSquared) * precision * recall / (recall + kBetaSquared * precision);
}

}  // namespace rubric
