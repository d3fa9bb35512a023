// Tables of cases, in a file of JSON beside the test that reads them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"

namespace rubric {

template <class Cell>
Cell cell_of(const Json& value) {
  if constexpr (std::is_same_v<Cell, Json>) {
    return value;
  } else if constexpr (std::is_same_v<Cell, std::string>) {
    return value.string();
  } else if constexpr (std::is_same_v<Cell, bool>) {
    return value.boolean();
  } else if constexpr (std::is_arithmetic_v<Cell>) {
    return static_cast<Cell>(value.number());
  } else {
    Cell items;
    for (const Json& item : value.array()) {
      items.push_back(cell_of<typename Cell::value_type>(item));
    }
    return items;
  }
}

// The rows of `table` in tests/FILE, each a list of these cells and perhaps a remark behind them. A
// text instead of a row is a heading.
template <class... Cells>
std::vector<std::tuple<Cells...>> cases(const std::string& file, const std::string& table) {
  const auto path = std::filesystem::path(source_folder()) / "tests" / file;
  const Json tables = Json::parse_file(path);
  std::vector<std::tuple<Cells...>> rows;
  for (const Json& row : tables.require(table, path).array()) {
    if (row.is_string()) continue;
    const Json::Array& cells = row.array();
    [&]<size_t... At>(std::index_sequence<At...>) {
      rows.emplace_back(cell_of<Cells>(cells.at(At))...);
    }
    (std::index_sequence_for<Cells...>());
  }
  EXPECT_FALSE(rows.empty()) << file << ": " << table;
  return rows;
}

}  // namespace rubric
