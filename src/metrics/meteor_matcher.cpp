#include "metrics/meteor_matcher.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace rubric {
namespace {

constexpr int64_t kMostMatches = int64_t{1} << 24;

int32_t count(const MeteorSentence& sentence) {
  return static_cast<int32_t>(sentence.size());
}

void add_match(const MeteorMatch& match, MeteorMatches& matches) {
  matches.by_start[static_cast<size_t>(match.start)].push_back(match);
  for (int j = 0; j < match.length; ++j) ++matches.coverage[static_cast<size_t>(match.start + j)];
  for (int j = 0; j < match.candidate_length; ++j) {
    ++matches.candidate_coverage[static_cast<size_t>(match.candidate_start + j)];
  }
}

// One module that matches word by word.
template <class Predicate>
void match_words(const MeteorSentence& candidate, const MeteorSentence& reference,
                 MeteorModule module, MeteorMatches& matches, const Predicate& matching) {
  int64_t found = 0;
  for (int32_t i = 0; i < count(reference); ++i) {
    const MeteorWord& word = *reference[static_cast<size_t>(i)];
    for (int32_t k = 0; k < count(candidate); ++k) {
      if (!matching(word, *candidate[static_cast<size_t>(k)])) continue;
      add_match({i, k, 1, 1, module}, matches);
      ++found;
    }
    if (found > kMostMatches) {
      throw InputError("two texts have too many words in common for METEOR", "",
                       "score shorter texts, or without meteor");
    }
  }
}

bool have_common_synset(const MeteorWord& a, const MeteorWord& b) {
  auto left = a.synsets.begin(), right = b.synsets.begin();
  while (left != a.synsets.end() && right != b.synsets.end()) {
    if (*left == *right) return true;
    if (*left < *right) {
      ++left;
    } else {
      ++right;
    }
  }
  return false;
}

bool same_words(const MeteorSentence& a, const MeteorSentence& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const MeteorWord* x, const MeteorWord* y) { return x->key == y->key; });
}

void clear(const MeteorSentence& candidate, const MeteorSentence& reference,
           MeteorMatches& matches) {
  for (auto& list : matches.by_start) list.clear();
  matches.by_start.resize(reference.size());
  matches.coverage.assign(reference.size(), 0);
  matches.candidate_coverage.assign(candidate.size(), 0);
}

}  // namespace

MeteorMatcher::MeteorMatcher(const ParaphraseIndex* paraphrases) : paraphrases_(paraphrases) {
  if (paraphrases_ != nullptr) first_.assign(paraphrases_->word_count(), -1);
}

void MeteorMatcher::match(const MeteorSentence& candidate, const MeteorSentence& reference,
                          MeteorMatches& matches) {
  clear(candidate, reference, matches);
  match_words(candidate, reference, MeteorModule::exact, matches,
              [](const MeteorWord& a, const MeteorWord& b) { return a.key == b.key; });
  if (same_words(candidate, reference)) return;
  match_words(candidate, reference, MeteorModule::stem, matches,
              [](const MeteorWord& a, const MeteorWord& b) {
                return a.stem_key == b.stem_key && a.key != b.key;
              });
  match_words(candidate, reference, MeteorModule::synonym, matches,
              [](const MeteorWord& a, const MeteorWord& b) {
                return a.key != b.key && have_common_synset(a, b);
              });
  if (paraphrases_ != nullptr) match_paraphrases(candidate, reference, matches);
}

// Looks up phrases of the reference first, then those of the candidate.
void MeteorMatcher::match_paraphrases(const MeteorSentence& candidate,
                                      const MeteorSentence& reference, MeteorMatches& matches) {
  constexpr MeteorModule kModule = MeteorModule::paraphrase;
  find_paraphrases(reference, candidate,
                   [&](int32_t from, auto length, int32_t to, auto to_length) {
                     add_match({from, to, length, to_length, kModule}, matches);
                   });
  find_paraphrases(candidate, reference,
                   [&](int32_t from, auto length, int32_t to, auto to_length) {
                     add_match({to, from, to_length, length, kModule}, matches);
                   });
}

// Calls `add` with every phrase of `from` that has a paraphrase in `to`: starts and lengths.
template <class Add>
void MeteorMatcher::find_paraphrases(const MeteorSentence& from, const MeteorSentence& to,
                                     const Add& add) {
  words_.clear();
  target_.clear();
  for (const MeteorWord* word : from) words_.push_back(word->paraphrase_word);
  for (const MeteorWord* word : to) target_.push_back(word->paraphrase_word);
  next_.assign(to.size(), -1);
  for (size_t k = to.size(); k-- > 0;) {
    if (target_[k] < 0) continue;
    next_[k] = std::exchange(first_[static_cast<size_t>(target_[k])], static_cast<int32_t>(k));
  }
  const auto stands_at = [&](std::span<const uint16_t> phrase, int32_t start) {
    const auto at = static_cast<size_t>(start);
    return phrase.size() <= target_.size() - at &&
           std::equal(phrase.begin(), phrase.end(), target_.begin() + start);
  };
  for (size_t i = 0; i < words_.size(); ++i) {
    paraphrases_->find(std::span<const int32_t>(words_).subspan(i), found_);
    for (const ParaphraseIndex::Found& phrase : found_) {
      std::span<const uint16_t> rest = phrase.paraphrases;
      while (!rest.empty()) {
        const std::span<const uint16_t> paraphrase = rest.subspan(1, rest[0]);
        rest = rest.subspan(paraphrase.size() + 1);
        for (int32_t k = first_[paraphrase[0]]; k >= 0; k = next_[static_cast<size_t>(k)]) {
          if (!stands_at(paraphrase, k)) continue;
          add(static_cast<int32_t>(i), static_cast<uint8_t>(phrase.length), k,
              static_cast<uint8_t>(paraphrase.size()));
        }
      }
    }
  }
  for (const int32_t word : target_) {
    if (word >= 0) first_[static_cast<size_t>(word)] = -1;
  }
}

}  // namespace rubric
