#include "metrics/rouge_l.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "metrics/numbering.h"

namespace rubric {
namespace {

// Calls `use` with each word of Python's text.split(" "): at least one, which may be empty.
template <class Use>
void for_each_word(std::string_view text, const Use& use) {
  for (;;) {
    const size_t blank = text.find(' ');
    use(text.substr(0, blank));
    if (blank == std::string_view::npos) return;
    text.remove_prefix(blank + 1);
  }
}

// The length of the longest common subsequence of two texts of numbered words, 64 words of `a` at a
// time in one machine word (Hyyrö 2004): a 0 in `row` at position i says that the subsequence grows
// by one there. What the addition carries out of one block goes into the next. `masks` has a zero
// for every number, and has them again at the end.
size_t longest_common_subsequence(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                  std::vector<uint64_t>& masks) {
  std::vector<uint8_t> carries(b.size());
  size_t length = 0;
  for (size_t start = 0; start < a.size(); start += 64) {
    const std::span<const uint32_t> block =
        a.subspan(start, std::min<size_t>(64, a.size() - start));
    for (size_t i = 0; i < block.size(); ++i) masks[block[i]] |= uint64_t{1} << i;
    uint64_t row = ~uint64_t{0};
    for (size_t j = 0; j < b.size(); ++j) {
      const uint64_t matches = masks[b[j]] & row;
      uint64_t sum = 0;
      const bool overflow = __builtin_add_overflow(row, matches, &sum);
      const bool overflow_of_carry = __builtin_add_overflow(sum, uint64_t{carries[j]}, &sum);
      carries[j] = overflow || overflow_of_carry ? 1 : 0;
      row = sum | (row & ~matches);
    }
    for (const uint32_t word : block) masks[word] = 0;
    const uint64_t used = ~uint64_t{0} >> (64 - block.size());
    length += static_cast<size_t>(std::popcount(~row & used));
  }
  return length;
}

}  // namespace

double rouge_l(std::span<const std::string> references, std::string_view candidate) {
  constexpr double kBetaSquared = 1.2 * 1.2;
  std::vector<std::string_view> words;  // of all references
  std::vector<size_t> ends;
  words.reserve(32);
  ends.reserve(references.size());
  for (const std::string& reference : references) {
    for_each_word(reference, [&](std::string_view word) { words.push_back(word); });
    ends.push_back(words.size());
  }
  Numbering<std::string_view> numbering(words.size());
  std::vector<uint32_t> numbers;
  numbers.reserve(words.size());
  for (const std::string_view word : words) numbers.push_back(numbering.add(word));

  size_t candidate_words = 0;
  std::vector<uint32_t>
      known;  // the candidate's words that stand in a reference: others never match
  known.reserve(32);
  for_each_word(candidate, [&](std::string_view word) {
    ++candidate_words;
    const uint32_t number = numbering.find(word);
    if (number != kUnnumbered) known.push_back(number);
  });

  std::vector<uint64_t> masks(numbering.count());
  double precision = 0, recall = 0;
  size_t start = 0;
  for (const size_t end : ends) {
    const auto reference = std::span(numbers).subspan(start, end - start);
    const auto common = static_cast<double>(longest_common_subsequence(reference, known, masks));
    precision = std::max(precision, common / static_cast<double>(candidate_words));
    recall = std::max(recall, common / static_cast<double>(reference.size()));
    start = end;
  }
  if (precision == 0 || recall == 0) return 0;
  return (1 + kBetaSquared) * precision * recall / (recall + kBetaSquared * precision);
}

}  // namespace rubric
