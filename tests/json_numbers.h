// Compares the numbers of two results in JSON.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace rubric {

// What names an item of a list: all its texts, where it is a measurement.
inline std::string measurement_name(const Json& item) {
  if (!item.is_object() || item.find("statistic") == nullptr) return "";
  std::string name;
  for (const auto& [key, value] : item.object()) {
    if (value.is_string()) name += key + "=" + value.string() + ",";
  }
  return name;
}

// Numbers within 10⁻¹², because sums may be made in another order; all else equal, but for members
// with these names. Measurements may be in another order.
inline void expect_same_numbers(const Json& first, const Json& second,
                                const std::set<std::string>& left_out,
                                const std::string& where = "") {
  if (first.is_number()) {
    ASSERT_TRUE(second.is_number()) << where;
    EXPECT_NEAR(first.number(), second.number(), 1e-12) << where;
  } else if (first.is_array()) {
    ASSERT_EQ(first.array().size(), second.array().size()) << where;
    for (size_t i = 0; i < first.array().size(); ++i) {
      const std::string name = measurement_name(first.array()[i]);
      const auto found = std::ranges::find(second.array(), name, measurement_name);
      ASSERT_TRUE(name.empty() || found != second.array().end()) << name;
      expect_same_numbers(first.array()[i], name.empty() ? second.array()[i] : *found, left_out,
                          where + "/" + (name.empty() ? std::to_string(i) : name));
    }
  } else if (first.is_object()) {
    ASSERT_EQ(first.object().size(), second.object().size()) << where;
    for (const auto& [name, value] : first.object()) {
      if (left_out.contains(name)) continue;
      ASSERT_NE(second.find(name), nullptr) << where << "/" << name;
      expect_same_numbers(value, *second.find(name), left_out, where + "/" + name);
    }
  } else {
    EXPECT_EQ(first.dump(), second.dump()) << where;
  }
}

}  // namespace rubric
