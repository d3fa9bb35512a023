// What is made for each descriptor of a list (core/list.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace rubric {

// What `make` gives for each descriptor, in the order of the list:
//
//   constexpr auto kOpeners = table_of<kShapes>([]<const Shape& kind>() { return open<kind>; });
//   entry_of<kShapes>(kOpeners, kRound)(name);
template <const auto& kEntries, class Make>
constexpr auto table_of(const Make& make) {
  return [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    return std::array{make.template operator()<*kEntries[kIndex]>()...};
  }
  (std::make_index_sequence<std::size(kEntries)>());
}

// The table's entry of `kind`, which must be on the list.
template <const auto& kEntries>
const auto& entry_of(const auto& table, const auto& kind) {
  return table[static_cast<size_t>(std::ranges::find(kEntries, &kind) - std::begin(kEntries))];
}

}  // namespace rubric
