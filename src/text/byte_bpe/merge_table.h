// The merges of a byte-pair encoding by their two parts: an open-addressing hash table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rubric {

struct Merge {
  int32_t left = 0, right = 0;  // ids of two tokens
  int32_t merged = 0;           // id of the token that replaces them
};

class MergeTable {
 public:
  // Best first; of two merges of the same parts the later counts.
  explicit MergeTable(const std::vector<Merge>& merges);

  struct Found {
    int32_t rank = -1;  // the merge's place in the list; -1: the parts do not merge
    int32_t merged = -1;
  };
  Found find(int32_t left, int32_t right) const;

 private:
  struct Slot {
    uint64_t parts = 0;
    Found found;
  };
  size_t slot_of(uint64_t parts) const;  // where they are, or would be put

  std::vector<Slot> slots_;  // a power of two, at most half of them in use
};

}  // namespace rubric
