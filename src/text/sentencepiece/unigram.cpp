#include "text/sentencepiece/unigram_part.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/text/utf8.h"

namespace rubric {
namespace {

constexpr double kUnknownPenalty = 10;
constexpr size_t kNowhere = static_cast<size_t>(-1);

// The best way to cut the text before a place: its sum of scores and its last piece.
struct Place {
  double score = 0;
  size_t start = kNowhere;  // of the last piece; kNowhere: nothing ends here
  int32_t id = -1;
};

void consider(Place& place, double score, size_t start, int32_t id) {
  if (place.start == kNowhere || score > place.score) place = {score, start, id};
}

}  // namespace

Unigram::Unigram(const Vocabulary& pieces, std::vector<double> scores, int32_t unknown_id)
    : scores_(std::move(scores)), unknown_id_(unknown_id) {
  for (size_t i = 0; i < pieces.count(); ++i) {
    trie_.add(pieces.token(i), static_cast<int32_t>(i));
    ids_.push_back(pieces.id(i));
  }
  const auto lowest = std::ranges::min_element(scores_);
  unknown_score_ = (lowest == scores_.end() ? 0 : *lowest) - kUnknownPenalty;
}

void Unigram::append_ids(std::string_view word, std::vector<int64_t>& ids) const {
  thread_local std::vector<Place> places;
  places.assign(word.size() + 1, Place{});
  for (size_t start = 0; start < word.size();) {
    const double score = places[start].score;
    size_t next = start;
    decode_utf8(word, next);
    bool is_covered = false;
    PieceTrie::Walk walk;
    for (size_t end = start; end < word.size() && trie_.step(walk, word[end]);) {
      ++end;
      if (walk.value < 0) continue;
      const auto piece = static_cast<size_t>(walk.value);
      consider(places[end], score + scores_[piece], start, ids_[piece]);
      if (end == next) is_covered = true;
    }
    if (!is_covered) consider(places[next], score + unknown_score_, start, unknown_id_);
    start = next;
  }
  const size_t before = ids.size();
  for (size_t end = word.size(); end > 0; end = places[end].start) {
    const bool continues_unknown = ids.size() > before && ids.back() == unknown_id_;
    if (places[end].id != unknown_id_ || !continues_unknown) ids.push_back(places[end].id);
  }
  std::reverse(ids.begin() + static_cast<ptrdiff_t>(before), ids.end());
}

}  // namespace rubric
