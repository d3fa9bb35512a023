#include "metrics/meteor/alignment.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "core/error.h"

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

namespace {

constexpr size_t kBeam = 40;
constexpr int kBits = 64;

// Words that do not match exactly count half, rounded down: METEOR sums integers.
int32_t weighted(int32_t words, MeteorModule module) {
  return module == MeteorModule::exact ? words : words / 2;
}

int32_t distance_of(const MeteorMatch& match) {
  return std::abs(match.start - match.candidate_start);
}

}  // namespace

bool MeteorAligner::is_better(const Path& a, const Path& b) {
  const int32_t more = (a.matched + a.candidate_matched) - (b.matched + b.candidate_matched);
  if (more != 0) return more > 0;
  if (a.chunks != b.chunks) return a.chunks < b.chunks;
  return a.distance < b.distance;
}

// Fixes matches whose words no other match covers: they are in every alignment.
void MeteorAligner::fix_certain(const MeteorMatches& matches) {
  fixed_.assign(matches.by_start.size(), nullptr);
  const auto covered_once = [](const std::vector<int32_t>& coverage, int32_t start, int length) {
    return std::all_of(coverage.begin() + start, coverage.begin() + start + length,
                       [](int32_t times) { return times == 1; });
  };
  for (size_t i = 0; i < fixed_.size(); ++i) {
    if (matches.by_start[i].size() != 1) continue;
    const MeteorMatch& match = matches.by_start[i][0];
    if (covered_once(matches.coverage, match.start, match.length) &&
        covered_once(matches.candidate_coverage, match.candidate_start, match.candidate_length)) {
      fixed_[i] = &match;
    }
  }
}

// Adds a match to a path's counts, except its distance.
void MeteorAligner::extend(Path& path, const MeteorMatch& match) {
  path.matched += weighted(match.length, match.module);
  path.candidate_matched += weighted(match.candidate_length, match.module);
  if (path.candidate_end != -1 && match.candidate_start != path.candidate_end) ++path.chunks;
  path.next = match.start + match.length;
  path.candidate_end = match.candidate_start + match.candidate_length;
  path.newest = &match;
}

bool MeteorAligner::is_free(const MeteorMatch& match, const Path& path) const {
  const uint64_t* const row = &taken_[static_cast<size_t>(path.row) * row_words_];
  for (int k = match.candidate_start; k < match.candidate_start + match.candidate_length; ++k) {
    if ((row[k / kBits] >> (k % kBits) & 1) != 0) return false;
  }
  return true;
}

// Adds the paths that choose one of the matches, then the one that leaves the word out. A match's
// distance counts only for paths created after its own, as in METEOR.
void MeteorAligner::branch(const std::vector<MeteorMatch>& matches, Path path) {
  for (const MeteorMatch& match : matches) {
    if (!is_free(match, path)) continue;
    next_paths_.push_back(path);
    extend(next_paths_.back(), match);
    path.distance += distance_of(match);
  }
  if (path.candidate_end != -1) {
    ++path.chunks;
    path.candidate_end = -1;
  }
  ++path.next;
  next_paths_.push_back(path);
}

// Moves the best of next_paths_ to paths_; of equal paths the first.
void MeteorAligner::keep_best() {
  const size_t kept = std::min(kBeam, next_paths_.size());
  order_.resize(next_paths_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  if (!std::is_sorted(next_paths_.begin(), next_paths_.end(), is_better)) {
    std::partial_sort(order_.begin(), order_.begin() + static_cast<ptrdiff_t>(kept), order_.end(),
                      [this](uint32_t a, uint32_t b) {
                        if (is_better(next_paths_[a], next_paths_[b])) return true;
                        return a < b && !is_better(next_paths_[b], next_paths_[a]);
                      });
  }
  paths_.clear();
  next_taken_.resize(kept * row_words_);
  for (size_t rank = 0; rank < kept; ++rank) {
    Path path = next_paths_[order_[rank]];
    uint64_t* const row = next_taken_.data() + rank * row_words_;
    std::copy_n(taken_.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(path.row) * row_words_),
                row_words_, row);
    if (path.newest != nullptr) {
      const int start = path.newest->candidate_start;
      for (int k = start; k < start + path.newest->candidate_length; ++k) {
        row[k / kBits] |= uint64_t{1} << (k % kBits);
      }
      choices_.push_back({path.newest, path.choice});
      path.choice = static_cast<int32_t>(choices_.size() - 1);
      path.newest = nullptr;
    }
    path.row = static_cast<int32_t>(rank);
    paths_.push_back(path);
  }
  taken_.swap(next_taken_);
}

std::vector<MeteorMatch> MeteorAligner::choices_of(const Path& path) const {
  std::vector<MeteorMatch> chosen;
  for (int32_t i = path.choice; i != -1; i = choices_[static_cast<size_t>(i)].previous) {
    chosen.push_back(*choices_[static_cast<size_t>(i)].match);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<MeteorMatch> MeteorAligner::align(const MeteorMatches& matches) {
  fix_certain(matches);
  row_words_ = matches.candidate_coverage.size() / kBits + 1;
  taken_.assign(row_words_, 0);
  choices_.clear();
  paths_.assign(1, Path());
  for (size_t word = 0; word < matches.by_start.size(); ++word) {
    next_paths_.clear();
    for (Path& path : paths_) {
      if (static_cast<int32_t>(word) < path.next) {  // inside a match
        next_paths_.push_back(path);
      } else if (const MeteorMatch* const fixed = fixed_[word]) {
        extend(path, *fixed);
        path.distance += distance_of(*fixed);
        next_paths_.push_back(path);
      } else {
        branch(matches.by_start[word], path);
      }
    }
    keep_best();
  }
  for (Path& path : paths_) {
    if (path.candidate_end != -1) ++path.chunks;
  }
  return choices_of(*std::min_element(paths_.begin(), paths_.end(), is_better));
}

}  // namespace rubric::metrics
