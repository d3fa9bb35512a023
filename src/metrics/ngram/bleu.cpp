#include "metrics/ngram/bleu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/ngram/words.h"

namespace rubric::metrics {
namespace {

// The number of n-grams in a text of that many words.
size_t gram_count(size_t words, int n) {
  const auto others = static_cast<size_t>(n - 1);
  return words > others ? words - others : 0;
}

uint64_t gram_key(uint32_t shorter, uint32_t last_word) {
  return uint64_t{shorter} << 32 | last_word;
}

}  // namespace

// Fills longer_ and most_.
void Bleu::count_reference_grams() {
  const uint32_t unigrams = references_.distinct_words();
  const size_t most_longer = static_cast<size_t>(order_ - 1) * references_.words();
  longer_.reset(most_longer);
  most_.assign(unigrams + most_longer, 0);
  counts_.assign(most_.size(), 0);
  for (size_t i = 0; i < references_.size(); ++i) {
    const std::span<const uint32_t> words = references_[i];
    grams_.assign(words.begin(), words.end());
    for (int n = 1; n <= order_; ++n) {
      grams_.resize(gram_count(words.size(), n));
      for (size_t j = 0; n > 1 && j < grams_.size(); ++j) {
        const uint32_t last = words[j + static_cast<size_t>(n - 1)];
        grams_[j] = unigrams + longer_.add(gram_key(grams_[j], last));
      }
      for (const uint32_t gram : grams_) most_[gram] = std::max(most_[gram], ++counts_[gram]);
      for (const uint32_t gram : grams_) counts_[gram] = 0;
    }
  }
}

// Extends the candidate's (n - 1)-grams to n-grams; kNoId if no reference has the n-gram.
void Bleu::lengthen(int n) {
  grams_.resize(gram_count(words_.size(), n));
  for (size_t i = 0; i < grams_.size(); ++i) {
    const uint32_t last = words_[i + static_cast<size_t>(n - 1)];
    if (grams_[i] == kNoId || last == kNoId) {
      grams_[i] = kNoId;
      continue;
    }
    const uint32_t longer = longer_.find(gram_key(grams_[i], last));
    grams_[i] = longer == kNoId ? kNoId : references_.distinct_words() + longer;
  }
}

// The number of matched n-grams of the candidate, each clipped at its maximum count in a reference.
size_t Bleu::clipped_matches() {
  size_t matches = 0;
  for (const uint32_t gram : grams_) {
    if (gram != kNoId && ++counts_[gram] <= most_[gram]) ++matches;
  }
  for (const uint32_t gram : grams_) {
    if (gram != kNoId) counts_[gram] = 0;
  }
  return matches;
}

size_t Bleu::closest_reference_length() const {
  const size_t candidate = words_.size();
  const auto distance = [&](size_t length) {
    return length > candidate ? length - candidate : candidate - length;
  };
  size_t closest = references_[0].size();
  for (size_t i = 1; i < references_.size(); ++i) {
    const size_t length = references_[i].size();
    if (std::pair(distance(length), length) < std::pair(distance(closest), closest)) {
      closest = length;
    }
  }
  return closest;
}

BleuCounts Bleu::count(std::span<const std::string> references, std::string_view candidate) {
  const auto split = [](std::string_view text, const auto& use) {
    split_at_white_space(text, use);
  };
  if (references_.read(references, split)) count_reference_grams();
  words_.clear();
  split(candidate, [&](std::string_view word) { words_.push_back(references_.find(word)); });
  grams_ = words_;
  BleuCounts counts;
  counts.candidate = words_.size();
  counts.reference = closest_reference_length();
  for (int n = 1; n <= order_; ++n) {
    if (n > 1) lengthen(n);
    const auto i = static_cast<size_t>(n - 1);
    counts.matches[i] = clipped_matches();
    counts.ngrams[i] = grams_.size();
  }
  return counts;
}

double Bleu::score(std::span<const std::string> references, std::string_view candidate) {
  constexpr double kTiny = 1e-15, kSmall = 1e-9;  // BleuScorer.compute_score
  const BleuCounts counts = count(references, candidate);
  double product = 1;
  for (size_t i = 0; i < static_cast<size_t>(order_); ++i) {
    product *= (static_cast<double>(counts.matches[i]) + kTiny) /
               (static_cast<double>(counts.ngrams[i]) + kSmall);
  }
  double score = std::pow(product, 1.0 / order_);
  const double ratio = (static_cast<double>(counts.candidate) + kTiny) /
                       (static_cast<double>(counts.reference) + kSmall);
  if (ratio < 1) score *= std::exp(1 - 1 / ratio);
  return score;
}

template <int order>
std::unique_ptr<AnswerMetric> make_bleu(const Settings& settings) {
  return make_sentence_metric("bleu" + std::to_string(order), scorer_maker<Bleu>(order), settings,
                              "|case:mixed|tok:none|smooth:coco");
}
template std::unique_ptr<AnswerMetric> make_bleu<1>(const Settings& settings);
template std::unique_ptr<AnswerMetric> make_bleu<2>(const Settings& settings);
template std::unique_ptr<AnswerMetric> make_bleu<3>(const Settings& settings);
template std::unique_ptr<AnswerMetric> make_bleu<4>(const Settings& settings);

}  // namespace rubric::metrics
