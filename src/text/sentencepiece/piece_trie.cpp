#include "text/sentencepiece/unigram.h"

#include <algorithm>

namespace rubric {

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

}  // namespace rubric
