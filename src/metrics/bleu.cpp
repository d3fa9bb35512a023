#include "metrics/bleu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/random.h"
#include "core/utf8.h"
#include "text/unicode.h"

namespace rubric {
namespace {

size_t hash_of(std::string_view word) {
  return std::hash<std::string_view>()(word);
}

size_t hash_of(uint64_t pair) {
  return mix(pair);
}

constexpr uint32_t kNowhere = UINT32_MAX;  // the number of what cannot match

// Numbers distinct keys 0, 1, 2 … in the order of their first sight. Open addressing, at most half
// full: one allocation for a sentence, where a node-based map makes one for each word.
template <class Key>
class Numbering {
 public:
  explicit Numbering(size_t most_keys) : slots_(std::bit_ceil(2 * most_keys + 1)) {}

  uint32_t add(Key key) {
    Slot& slot = slots_[position(key)];
    if (slot.number == kNowhere) slot = {key, count_++};
    return slot.number;
  }
  uint32_t find(Key key) const { return slots_[position(key)].number; }

 private:
  struct Slot {
    Key key{};
    uint32_t number = kNowhere;  // marks a free slot
  };
  size_t position(Key key) const {
    for (size_t i = hash_of(key);; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.number == kNowhere || slot.key == key) return i & (slots_.size() - 1);
    }
  }

  std::vector<Slot> slots_;
  uint32_t count_ = 0;
};

// The length in bytes of the white space that starts at `position`, else 0.
size_t white_space_at(std::string_view text, size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte < 0x80) return is_python_space(byte) ? 1 : 0;
  size_t end = position;
  return is_python_space(decode_utf8(text, end)) ? end - position : 0;
}

void append_words(std::string_view text, std::vector<std::string_view>& words) {
  size_t start = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t blank = white_space_at(text, i);  // 0 inside a character too
    if (blank == 0) {
      ++i;
      continue;
    }
    if (i > start) words.push_back(text.substr(start, i - start));
    start = i += blank;
  }
  if (start < text.size()) words.push_back(text.substr(start));
}

// The n-grams of the candidate (text 0) and its references, n growing by one at a time. An n-gram's
// number stands at the position of its first word; it is kNowhere if the n-gram is known to be
// missing in the candidate or in all references, so that most longer n-grams are never looked up.
struct Grams {
  std::vector<uint32_t> numbers;
  std::vector<size_t> offsets;  // text t is [offsets[t], offsets[t + 1])
  size_t n = 1;

  size_t end(size_t text) const {  // behind the last position of `text` that starts an n-gram
    return std::max(offsets[text + 1], offsets[text] + n - 1) - (n - 1);
  }
  size_t texts() const { return offsets.size() - 1; }
  size_t words(size_t text) const { return offsets[text + 1] - offsets[text]; }
};

Grams number_words(std::span<const std::string> references, std::string_view candidate) {
  std::vector<std::string_view> words;
  words.reserve(64);
  Grams grams;
  grams.offsets.reserve(references.size() + 2);
  grams.offsets.push_back(0);
  append_words(candidate, words);
  grams.offsets.push_back(words.size());
  for (const std::string& reference : references) {
    append_words(reference, words);
    grams.offsets.push_back(words.size());
  }
  Numbering<std::string_view> numbering(grams.words(0));
  grams.numbers.resize(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    grams.numbers[i] = i < grams.end(0) ? numbering.add(words[i]) : numbering.find(words[i]);
  }
  return grams;
}

// From n-grams to (n + 1)-grams: each is an n-gram and the word behind it.
void lengthen(Grams& grams, const std::vector<uint32_t>& words) {
  Numbering<uint64_t> numbering(grams.words(0));
  const size_t n = grams.n++;
  for (size_t text = 0; text < grams.texts(); ++text) {
    for (size_t i = grams.offsets[text]; i < grams.end(text); ++i) {
      uint32_t& gram = grams.numbers[i];
      if (gram == kNowhere) continue;
      const uint64_t key = uint64_t{gram} << 32 | words[i + n];
      gram = text == 0 ? numbering.add(key) : numbering.find(key);
    }
  }
}

// How many of the candidate's n-grams are matched, each at most as often as in the reference that
// has it most. The others get kNowhere.
size_t clip(Grams& grams) {
  struct Counts {
    int64_t here = 0, most = 0;  // in this reference, in the one that has most
    int64_t used = 0;            // by the candidate
  };
  std::vector<Counts> counts(grams.words(0));
  for (size_t text = 1; text < grams.texts(); ++text) {
    for (size_t i = grams.offsets[text]; i < grams.end(text); ++i) {
      if (grams.numbers[i] == kNowhere) continue;
      Counts& count = counts[grams.numbers[i]];
      count.most = std::max(count.most, ++count.here);
    }
    if (text + 1 < grams.texts()) {
      for (Counts& count : counts) count.here = 0;
    }
  }
  size_t matches = 0;
  for (size_t i = 0; i < grams.end(0); ++i) {
    uint32_t& gram = grams.numbers[i];
    if (gram == kNowhere) continue;
    Counts& count = counts[gram];
    if (count.most == 0) {
      gram = kNowhere;
    } else if (count.used < count.most) {
      ++count.used;
      ++matches;
    }
  }
  return matches;
}

size_t closest_reference_length(const Grams& grams) {
  const size_t candidate = grams.words(0);
  const auto distance = [&](size_t length) {
    return length > candidate ? length - candidate : candidate - length;
  };
  size_t closest = grams.words(1);
  for (size_t text = 2; text < grams.texts(); ++text) {
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
  const std::vector<uint32_t> words = grams.numbers;
  double product = 1;
  for (int n = 1; n <= order; ++n) {
    if (n > 1) lengthen(grams, words);
    product *=
        (static_cast<double>(clip(grams)) + kTiny) / (static_cast<double>(grams.end(0)) + kSmall);
  }
  double score = std::pow(product, 1.0 / order);
  const double ratio = (static_cast<double>(grams.words(0)) + kTiny) /
                       (static_cast<double>(closest_reference_length(grams)) + kSmall);
  if (ratio < 1) score *= std::exp(1 - 1 / ratio);
  return score;
}

}  // namespace rubric
