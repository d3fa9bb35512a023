// Records that belong together, such as the answers to one question: drawn and exchanged as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace rubric {

struct Clusters {
  std::vector<uint32_t> of;  // by record: its cluster, numbered in the order of their first records
  size_t count = 0;
};

// The records of one key together.
template <class Key>
Clusters clusters_by(const std::vector<Key>& keys) {
  std::map<Key, uint32_t> numbers;
  Clusters clusters;
  for (const Key& key : keys) {
    const auto next = static_cast<uint32_t>(numbers.size());
    clusters.of.push_back(numbers.emplace(key, next).first->second);
  }
  clusters.count = numbers.size();
  return clusters;
}

}  // namespace rubric
