#include "text/byte_bpe/merge_table.h"

#include <algorithm>
#include <bit>

namespace rubric {
namespace {

uint64_t pair_of(int32_t left, int32_t right) {
  return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

}  // namespace

MergeTable::MergeTable(const std::vector<Merge>& merges)
    : slots_(std::bit_ceil(std::max<size_t>(2, 2 * merges.size()))) {
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const Merge& merge = merges[rank];
    const uint64_t parts = pair_of(merge.left, merge.right);
    slots_[slot_of(parts)] = {parts, {static_cast<int32_t>(rank), merge.merged}};
  }
}

MergeTable::Found MergeTable::find(int32_t left, int32_t right) const {
  return slots_[slot_of(pair_of(left, right))].found;
}

size_t MergeTable::slot_of(uint64_t parts) const {
  const size_t mask = slots_.size() - 1;
  const uint64_t hash = parts * 0x9E3779B97F4A7C15u;
  for (size_t slot = (hash >> 32) & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot].found.rank < 0 || slots_[slot].parts == parts) return slot;
  }
}

}  // namespace rubric
