#include "metrics/meteor_matcher.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace rubric {
namespace {

void add_match(const MeteorMatch& match, MeteorMatches& matches) {
  constexpr size_t kMostMatches = size_t{1} << 23;
  if (++matches.count > kMostMatches) {
    throw InputError("two texts have too many words in common for METEOR", "",
                     "score shorter texts, or without meteor");
  }
  matches.by_start[static_cast<size_t>(match.start)].push_back(match);
  for (int j = 0; j < match.length; ++j) ++matches.coverage[static_cast<size_t>(match.start + j)];
  for (int j = 0; j < match.candidate_length; ++j) {
    ++matches.candidate_coverage[static_cast<size_t>(match.candidate_start + j)];
  }
}

// The words that are the same, then those of which only the stems are.
void match_words_and_stems(const MeteorSentence& candidate, int32_t i, const MeteorWord& word,
                           MeteorMatches& matches) {
  bool have_stems = false;
  for (size_t k = 0; k < candidate.keys.size(); ++k) {
    if (candidate.keys[k] == word.key) {
      add_match({i, static_cast<int32_t>(k), 1, 1, MeteorModule::exact}, matches);
    } else if (candidate.stem_keys[k] == word.stem_key) {
      have_stems = true;
    }
  }
  if (!have_stems) return;
  for (size_t k = 0; k < candidate.keys.size(); ++k) {
    if (candidate.stem_keys[k] == word.stem_key && candidate.keys[k] != word.key) {
      add_match({i, static_cast<int32_t>(k), 1, 1, MeteorModule::stem}, matches);
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

void clear(const MeteorSentence& candidate, const MeteorSentence& reference,
           MeteorMatches& matches) {
  for (auto& list : matches.by_start) list.clear();
  matches.by_start.resize(reference.words.size());
  matches.coverage.assign(reference.words.size(), 0);
  matches.candidate_coverage.assign(candidate.words.size(), 0);
  matches.count = 0;
}

}  // namespace

MeteorMatcher::MeteorMatcher(size_t paraphrase_words) : first_(paraphrase_words, -1) {}

void MeteorMatcher::match(const MeteorSentence& candidate, const MeteorSentence& reference,
                          MeteorMatches& matches) {
  clear(candidate, reference, matches);
  for (int32_t i = 0; i < reference.size(); ++i) {
    match_words_and_stems(candidate, i, *reference.words[static_cast<size_t>(i)], matches);
  }
  if (candidate.keys == reference.keys) return;
  match_synonyms(candidate, reference, matches);
  // Phrases of the reference are looked up first, then those of the candidate.
  constexpr MeteorModule kModule = MeteorModule::paraphrase;
  find_paraphrases(reference, candidate, [&](int32_t i, size_t length, int32_t k, size_t other) {
    add_match({i, k, static_cast<uint8_t>(length), static_cast<uint8_t>(other), kModule}, matches);
  });
  find_paraphrases(candidate, reference, [&](int32_t k, size_t length, int32_t i, size_t other) {
    add_match({i, k, static_cast<uint8_t>(other), static_cast<uint8_t>(length), kModule}, matches);
  });
}

void MeteorMatcher::match_synonyms(const MeteorSentence& candidate, const MeteorSentence& reference,
                                   MeteorMatches& matches) {
  const auto bit = [this](int32_t synset) {
    return static_cast<uint32_t>(synset) % synsets_.size();
  };
  synsets_.reset();
  for (const MeteorWord* word : candidate.words) {
    for (const int32_t synset : word->synsets) synsets_.set(bit(synset));
  }
  for (int32_t i = 0; i < reference.size(); ++i) {
    const MeteorWord& word = *reference.words[static_cast<size_t>(i)];
    if (std::none_of(word.synsets.begin(), word.synsets.end(),
                     [&](int32_t synset) { return synsets_.test(bit(synset)); })) {
      continue;
    }
    for (int32_t k = 0; k < candidate.size(); ++k) {
      const MeteorWord& other = *candidate.words[static_cast<size_t>(k)];
      if (other.key != word.key && have_common_synset(word, other)) {
        add_match({i, k, 1, 1, MeteorModule::synonym}, matches);
      }
    }
  }
}

// Calls `add` with every phrase of `from` that has a paraphrase in `to`: start and length there,
// start and length here.
template <class Add>
void MeteorMatcher::find_paraphrases(const MeteorSentence& from, const MeteorSentence& to,
                                     const Add& add) {
  const std::vector<int32_t>& words = to.paraphrase_words;
  next_.assign(words.size(), -1);
  for (size_t k = words.size(); k-- > 0;) {
    if (words[k] < 0) continue;
    next_[k] = std::exchange(first_[static_cast<size_t>(words[k])], static_cast<int32_t>(k));
  }
  for (const auto& [start, phrase] : from.phrases) {
    const uint16_t* unit = phrase.paraphrases.data();
    const uint16_t* const end = unit + phrase.paraphrases.size();
    while (unit != end) {
      const std::span<const uint16_t> paraphrase(unit + 1, *unit);
      unit += paraphrase.size() + 1;
      for (int32_t k = first_[paraphrase[0]]; k >= 0; k = next_[static_cast<size_t>(k)]) {
        if (paraphrase.size() <= words.size() - static_cast<size_t>(k) &&
            std::equal(paraphrase.begin(), paraphrase.end(), words.begin() + k)) {
          add(start, static_cast<size_t>(phrase.length), k, paraphrase.size());
        }
      }
    }
  }
  for (const int32_t word : words) {
    if (word >= 0) first_[static_cast<size_t>(word)] = -1;
  }
}

}  // namespace rubric
