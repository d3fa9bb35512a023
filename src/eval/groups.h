// Records by name.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rubric {

// The indices of the records with one name.
struct Group {
  std::string name;
  std::vector<size_t> members;
};

// Groups in the order of their first record; name(i) is that of record i.
template <class Name>
std::vector<Group> group_by(size_t count, Name name) {
  std::vector<Group> groups;
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < count; ++i) {
    const auto [entry, is_new] = index.emplace(name(i), groups.size());
    if (is_new) groups.push_back({entry->first, {}});
    groups[entry->second].members.push_back(i);
  }
  return groups;
}

}  // namespace rubric
