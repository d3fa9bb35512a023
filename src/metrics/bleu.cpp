#include "metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/utf8.h"
#include "metrics/numbering.h"
#include "text/unicode.h"

namespace rubric {
namespace {

// The length in bytes of the white space that starts at `position`, else 0.
size_t white_space_at(std::string_view text, size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte > ' ' && byte < 0x80) return 0;
  if (byte < 0x80) return is_python_space(byte) ? 1 : 0;
  size_t end = position;
  return is_python_space(decode_utf8(text, end)) ? end - position : 0;
}

// Calls `use` with each word of Python's text.split().
template <class Use>
void for_each_word(std::string_view text, const Use& use) {
  size_t start = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t blank = white_space_at(text, i);  // 0 inside a character too
    if (blank == 0) {
      ++i;
      continue;
    }
    if (i > start) use(text.substr(start, i - start));
    start = i += blank;
  }
  if (start < text.size()) use(text.substr(start));
}

// The n-grams of the references and, as the last text, the candidate; n grows by one at a time. An
// n-gram's number stands at the position of its first word; it is kUnnumbered if the n-gram is
// known to be missing in the candidate or in all references, so that most longer n-grams are never
// looked up.
struct Grams {
  std::vector<uint32_t> numbers;
  std::vector<size_t> offsets = {0};  // text t is [offsets[t], offsets[t + 1])
  size_t n = 1;
  size_t distinct = 0;  // among the numbered ones

  size_t candidate() const { return offsets.size() - 2; }
  size_t words(size_t text) const { return offsets[text + 1] - offsets[text]; }
  std::span<uint32_t> of(size_t text) {  // one for each position that starts an n-gram
    const size_t count = std::max(words(text), n - 1) - (n - 1);
    return std::span(numbers).subspan(offsets[text], count);
  }
};

Grams number_words(std::span<const std::string> references, std::string_view candidate) {
  std::vector<std::string_view> words;  // of all references
  words.reserve(32);
  Grams grams;
  grams.offsets.reserve(references.size() + 2);
  for (const std::string& reference : references) {
    for_each_word(reference, [&](std::string_view word) { words.push_back(word); });
    grams.offsets.push_back(words.size());
  }
  Numbering<std::string_view> numbering(words.size());
  grams.numbers.reserve(words.size() + 64);
  for (const std::string_view word : words) grams.numbers.push_back(numbering.add(word));
  for_each_word(candidate,
                [&](std::string_view word) { grams.numbers.push_back(numbering.find(word)); });
  grams.offsets.push_back(grams.numbers.size());
  grams.distinct = numbering.count();
  return grams;
}

// From n-grams to (n + 1)-grams: each is an n-gram and the word behind it.
void lengthen(Grams& grams, const std::vector<uint32_t>& words) {
  Numbering<uint64_t> numbering(grams.offsets[grams.candidate()]);
  const size_t n = grams.n++;
  for (size_t text = 0; text <= grams.candidate(); ++text) {
    const std::span<uint32_t> longer = grams.of(text);
    for (size_t i = 0; i < longer.size(); ++i) {
      if (longer[i] == kUnnumbered) continue;
      const uint64_t gram = uint64_t{longer[i]} << 32 | words[grams.offsets[text] + i + n];
      longer[i] = text == grams.candidate() ? numbering.find(gram) : numbering.add(gram);
    }
  }
  grams.distinct = numbering.count();
}

// How many of the candidate's n-grams are matched, each at most as often as in the reference that
// has it most. Those of the references that the candidate lacks lose their number: no longer one
// can match.
size_t clip(Grams& grams) {
  struct Counts {
    int64_t here = 0, most = 0;  // in this reference, in the one that has most
    int64_t used = 0;            // by the candidate
  };
  std::vector<Counts> counts(grams.distinct);
  for (size_t text = 0; text < grams.candidate(); ++text) {
    for (const uint32_t gram : grams.of(text)) {
      if (gram == kUnnumbered) continue;
      Counts& count = counts[gram];
      count.most = std::max(count.most, ++count.here);
    }
    for (const uint32_t gram : grams.of(text)) {
      if (gram != kUnnumbered) counts[gram].here = 0;
    }
  }
  size_t matches = 0;
  for (const uint32_t gram : grams.of(grams.candidate())) {
    if (gram == kUnnumbered) continue;
    Counts& count = counts[gram];
    if (count.used < count.most) ++matches;
    ++count.used;
  }
  for (size_t text = 0; text < grams.candidate(); ++text) {
    for (uint32_t& gram : grams.of(text)) {
      if (gram != kUnnumbered && counts[gram].used == 0) gram = kUnnumbered;
    }
  }
  return matches;
}

size_t closest_reference_length(const Grams& grams) {
  const size_t candidate = grams.words(grams.candidate());
  const auto distance = [&](size_t length) {
    return length > candidate ? length - candidate : candidate - length;
  };
  size_t closest = grams.words(0);
  for (size_t text = 1; text < grams.candidate(); ++text) {
    const size_t length = grams.words(text);
    if (std::pair(distance(length), length) < std::pair(distance(closest), closest)) {
      closest = length;
    }
  }
  return closest;
}

}  // namespace

double bleu(std::span<const std::string> references, std::string_view candidate, int order) {
  constexpr double kTiny = 1e-15, kSmall = 1e-9;  // BleuScorer.compute_score
  Grams grams = number_words(references, candidate);
  const size_t length = grams.words(grams.candidate());
  std::vector<uint32_t> words;
  if (order > 1) words = grams.numbers;
  double product = 1;
  for (int n = 1; n <= order; ++n) {
    if (n > 1) lengthen(grams, words);
    const size_t count = grams.of(grams.candidate()).size();
    product *= (static_cast<double>(clip(grams)) + kTiny) / (static_cast<double>(count) + kSmall);
  }
  double score = std::pow(product, 1.0 / order);
  const double ratio = (static_cast<double>(length) + kTiny) /
                       (static_cast<double>(closest_reference_length(grams)) + kSmall);
  if (ratio < 1) score *= std::exp(1 - 1 / ratio);
  return score;
}

}  // namespace rubric
