// Finds measurements in a result's JSON.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "rubric/result.h"

namespace rubric {

// The measurement of `statistic` with these keys. Of other keys it may have any, but no group and
// no subset; of several it is the one without a source, then the one without any. An empty object,
// and a failed test, where there is none or more than one.
inline const Json& measured(const Json& result, const std::string& statistic,
                            const Keys& keys = {}) {
  static const Json kNothing{Json::Object{{"value", 0.0}}};
  std::vector<const Json*> found;
  for (const Json& one : result.find("measurements")->array()) {
    bool is_wanted = one.find("statistic")->string() == statistic;
    for (const auto& [name, key] : kKeys) {
      const Json* const text = one.find(name);
      const bool is_strict = key == &Keys::group || key == &Keys::subset || !(keys.*key).empty();
      if (is_strict) is_wanted &= (text == nullptr ? "" : text->string()) == keys.*key;
    }
    if (is_wanted) found.push_back(&one);
  }
  const auto leave_out = [&](auto has_more) {
    if (found.size() > 1 && !std::ranges::all_of(found, has_more)) std::erase_if(found, has_more);
  };
  const auto has_unnamed = [&](const Json* one, const std::pair<const char*, Key>& key) {
    return (keys.*key.second).empty() && one->find(key.first) != nullptr;
  };
  leave_out([&](const Json* one) { return has_unnamed(one, {"source", &Keys::source}); });
  leave_out([&](const Json* one) {
    return std::ranges::any_of(kKeys, [&](const auto& key) { return has_unnamed(one, key); });
  });
  EXPECT_EQ(found.size(), 1u) << statistic;
  return found.size() == 1 ? *found.front() : kNothing;
}

inline double value_of(const Json& result, const std::string& statistic, const Keys& keys = {}) {
  return measured(result, statistic, keys).find("value")->number();
}

}  // namespace rubric
