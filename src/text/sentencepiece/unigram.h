// Texts by their prefixes, one byte a step: an open-addressing hash table of edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rubric {

class PieceTrie {
 public:
  void add(std::string_view text, int32_t value);  // value >= 0; of the same text the last counts

  // Where a walk from the first byte on has got to.
  struct Walk {
    uint32_t node = 0;
    int32_t value = -1;  // of the text walked so far; -1: it is only a prefix
  };
  // One byte on; false when no text goes on so.
  bool step(Walk& walk, char byte) const;

 private:
  struct Edge {
    uint32_t from = 0, to = 0;  // to 0, the root: an empty slot
    int32_t value = -1;         // of the node it leads to
    unsigned char byte = 0;
  };
  size_t slot_of(uint32_t from, unsigned char byte) const;  // where it is, or would be put
  void grow();

  std::vector<Edge> edges_;  // a power of two, at most half of them in use
  uint32_t nodes_ = 1;       // the root among them
};

}  // namespace rubric
