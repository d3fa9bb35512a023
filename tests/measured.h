// Finds measurements in a result's JSON.
#pragma once

#include <algorithm>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "rubric/result.h"

namespace rubric {

// The measurement of `statistic` with these keys and no others. Zeros, and a failed test, where
// there is not exactly one.
inline const Json& measured(const Json& result, const std::string& statistic, const Keys& keys = {},
                            std::source_location caller = std::source_location::current()) {
  static const Json kZeros{Json::Object{{"value", 0},
                                        {"n", 0},
                                        {"low", 0},
                                        {"high", 0},
                                        {"p", 0},
                                        {"p_holm", 0},
                                        {"why_missing", ""}}};
  std::vector<const Json*> found;
  std::string with_statistic;
  for (const Json& one : result.find("measurements")->array()) {
    if (one.find("statistic")->string() != statistic) continue;
    with_statistic += "\n  " + one.dump();
    const auto has_key = [&](const std::pair<const char*, Key>& key) {
      const Json* const text = one.find(key.first);
      return (text == nullptr ? "" : text->string()) == keys.*key.second;
    };
    if (std::ranges::all_of(kKeys, has_key)) found.push_back(&one);
  }
  EXPECT_EQ(found.size(), 1u) << caller.file_name() << ":" << caller.line() << ": of " << statistic
                              << " in" << with_statistic.substr(0, 2000);
  return found.size() == 1 ? *found.front() : kZeros;
}

inline double value_of(const Json& result, const std::string& statistic, const Keys& keys = {},
                       std::source_location caller = std::source_location::current()) {
  return measured(result, statistic, keys, caller).find("value")->number();
}

// The same among measurements.
inline const Measurement& measurement_of(
    std::span<const Measurement> all, const std::string& statistic, const Keys& keys = {},
    std::source_location caller = std::source_location::current()) {
  static const Measurement kZeros{.value = 0, .interval = Interval{0, 0}, .p = 0, .n = 0};
  const auto is_it = [&](const Measurement& one) {
    return one.statistic == statistic && one.keys == keys;
  };
  EXPECT_EQ(std::ranges::count_if(all, is_it), 1)
      << caller.file_name() << ":" << caller.line() << ": of " << statistic;
  const auto found = std::ranges::find_if(all, is_it);
  return found == all.end() ? kZeros : *found;
}

// The values of a column in the records `name`, of the rows with this metric.
inline std::vector<Json> recorded(const Json& result, const std::string& name,
                                  const std::string& metric, const std::string& column) {
  std::vector<Json> values;
  for (const Json& row : result.require("records", "").require(name, "").array()) {
    if (row.require_string("metric", "") == metric) values.push_back(row.require(column, ""));
  }
  return values;
}

// In a summary of `score`.
inline std::string signature_of(const Json& summary, const std::string& metric) {
  const std::vector<Json> found = recorded(summary, "signatures", metric, "signature");
  EXPECT_EQ(found.size(), 1u) << metric;
  return found.size() == 1 ? found.front().string() : "";
}

}  // namespace rubric
