#include "text/sentencepiece/unigram.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/text/utf8.h"

namespace rubric::text {

namespace {

constexpr double kUnknownPenalty = 10;
constexpr size_t kNowhere = static_cast<size_t>(-1);

// The best segmentation of the text before a position: its sum of scores and its last piece.
struct Place {
  double score = 0;
  size_t start = kNowhere;  // of the last piece; kNowhere: no piece ends here
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

void PieceTrie::add(std::string_view text, int32_t value) {
  uint32_t node = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (2 * (size_t{nodes_} + 1) > edges_.size()) grow();
    const auto byte = static_cast<unsigned char>(text[i]);
    Edge& edge = edges_[slot_of(node, byte)];
    if (edge.to == 0) edge = {node, nodes_++, -1, byte};
    if (i + 1 == text.size()) edge.value = value;
    node = edge.to;
  }
}

bool PieceTrie::step(Walk& walk, char byte) const {
  if (edges_.empty()) return false;
  const Edge& edge = edges_[slot_of(walk.node, static_cast<unsigned char>(byte))];
  walk = {edge.to, edge.value};
  return edge.to != 0;
}

size_t PieceTrie::slot_of(uint32_t from, unsigned char byte) const {
  const size_t mask = edges_.size() - 1;
  const uint64_t hash = (uint64_t{from} << 8 | byte) * 0x9E3779B97F4A7C15u;
  for (size_t slot = (hash >> 32) & mask;; slot = (slot + 1) & mask) {
    const Edge& edge = edges_[slot];
    if (edge.to == 0 || (edge.from == from && edge.byte == byte)) return slot;
  }
}

void PieceTrie::grow() {
  std::vector<Edge> old(std::max<size_t>(64, 2 * edges_.size()));
  old.swap(edges_);
  for (const Edge& edge : old) {
    if (edge.to != 0) edges_[slot_of(edge.from, edge.byte)] = edge;
  }
}

}  // namespace rubric::text
