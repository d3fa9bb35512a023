// What is made for each descriptor of a list (core/list.h), such as the neural half of each task.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace rubric {

// What `make` gives for each descriptor, in the order of the list:
//
//   constexpr auto kOpeners = table_of<kTasks>([]<const TaskKind& kind>() { return open<kind>; });
//   entry_of<kTasks>(kOpeners, kLercTask)(config);
template <const auto& kList, class Make>
constexpr auto table_of(const Make& make) {
  return [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    return std::array{make.template operator()<*kList[kIndex]>()...};
  }(std::make_index_sequence<std::size(kList)>());
}

// The table's entry of `kind`, which must be on the list.
template <const auto& kList>
const auto& entry_of(const auto& table, const auto& kind) {
  return table[static_cast<size_t>(std::ranges::find(kList, &kind) - std::begin(kList))];
}

}  // namespace rubric
