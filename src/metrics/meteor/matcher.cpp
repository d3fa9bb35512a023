#include <algorithm>
#include <utility>

#include "core/error.h"
#include "metrics/meteor/alignment.h"

namespace rubric::metrics {
namespace {

void add_match(const MeteorMatch& match, MeteorMatches& matches) {
  constexpr size_t kMostMatches = size_t{1} << 23;
  if (++matches.count > kMostMatches) {
    throw InputError("two texts have too many words in common for METEOR", "",
                     "score shorter texts, or without meteor");
  }
  matches.by_start[static_cast<size_t>(match.start)].push_back(match);
  const auto cover = [](int32_t start, int32_t length, std::vector<int32_t>& coverage) {
    for (auto j = static_cast<size_t>(start), end = j + static_cast<size_t>(length); j < end; ++j) {
      ++coverage[j];
    }
  };
  cover(match.start, match.length, matches.coverage);
  cover(match.candidate_start, match.candidate_length, matches.candidate_coverage);
}

// Matches equal words, then words with equal stems.
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

size_t synset_bit(int32_t synset, size_t bits) {
  return static_cast<uint32_t>(synset) % bits;
}

// Calls `add` for every phrase with a paraphrase in the other sentence: start and length of the
// phrase, start and length of the paraphrase.
template <class Add>
void find_paraphrases(const std::vector<MeteorSentence::Phrase>& phrases,
                      const MeteorPlaces& places, const Add& add) {
  const std::span<const int32_t> words = places.words();
  for (const auto& [start, phrase] : phrases) {
    const uint16_t* unit = phrase.paraphrases.data();
    const uint16_t* const end = unit + phrase.paraphrases.size();
    while (unit != end) {
      const std::span<const uint16_t> paraphrase(unit + 1, *unit);
      unit += paraphrase.size() + 1;
      for (int32_t k = places.first(paraphrase[0]); k >= 0; k = places.next(k)) {
        const auto rest = words.subspan(static_cast<size_t>(k));
        if (paraphrase.size() <= rest.size() &&
            std::equal(paraphrase.begin(), paraphrase.end(), rest.begin())) {
          add(start, static_cast<size_t>(phrase.length), k, paraphrase.size());
        }
      }
    }
  }
}

}  // namespace

void MeteorPlaces::assign(const MeteorSentence& sentence) {
  for (const int32_t word : words_) {
    if (word >= 0) first_[static_cast<size_t>(word)] = -1;
  }
  words_ = sentence.paraphrase_words;
  next_.assign(words_.size(), -1);
  for (size_t k = words_.size(); k-- > 0;) {
    if (words_[k] < 0) continue;
    next_[k] = std::exchange(first_[static_cast<size_t>(words_[k])], static_cast<int32_t>(k));
  }
}

MeteorMatcher::MeteorMatcher(size_t paraphrase_words)
    : candidate_places_(paraphrase_words), reference_places_(paraphrase_words) {}

void MeteorMatcher::set_candidate(const MeteorSentence& candidate) {
  candidate_ = &candidate;
  candidate_places_.assign(candidate);
  synsets_.reset();
  for (const MeteorWord* word : candidate.words) {
    for (const int32_t synset : word->synsets) synsets_.set(synset_bit(synset, synsets_.size()));
  }
}

void MeteorMatcher::match(const MeteorSentence& reference, MeteorMatches& matches) {
  clear(*candidate_, reference, matches);
  for (int32_t i = 0; i < reference.size(); ++i) {
    match_words_and_stems(*candidate_, i, *reference.words[static_cast<size_t>(i)], matches);
  }
  if (candidate_->keys == reference.keys) return;
  match_synonyms(reference, matches);
  // Phrases of the reference are looked up first, then those of the candidate.
  constexpr MeteorModule kModule = MeteorModule::paraphrase;
  find_paraphrases(
      reference.phrases, candidate_places_, [&](int32_t i, size_t length, int32_t k, size_t other) {
        add_match({i, k, static_cast<uint8_t>(length), static_cast<uint8_t>(other), kModule},
                  matches);
      });
  reference_places_.assign(reference);
  find_paraphrases(candidate_->phrases, reference_places_,
                   [&](int32_t k, size_t length, int32_t i, size_t other) {
                     add_match(
                         {i, k, static_cast<uint8_t>(other), static_cast<uint8_t>(length), kModule},
                         matches);
                   });
}

void MeteorMatcher::match_synonyms(const MeteorSentence& reference, MeteorMatches& matches) const {
  for (int32_t i = 0; i < reference.size(); ++i) {
    const MeteorWord& word = *reference.words[static_cast<size_t>(i)];
    if (std::ranges::none_of(word.synsets, [&](int32_t synset) {
          return synsets_.test(synset_bit(synset, synsets_.size()));
        })) {
      continue;
    }
    for (int32_t k = 0; k < candidate_->size(); ++k) {
      const MeteorWord& other = *candidate_->words[static_cast<size_t>(k)];
      if (other.key != word.key && have_common_synset(word, other)) {
        add_match({i, k, 1, 1, MeteorModule::synonym}, matches);
      }
    }
  }
}

}  // namespace rubric::metrics
