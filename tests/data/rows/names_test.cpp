#include "data/rows/names.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data::names_test {

std::string told(const std::vector<std::string>& names, bool are_ids = false) {
  NamesInField field("system", are_ids);
  for (size_t i = 0; i < names.size(); ++i) field.add(names[i], "a.csv:" + std::to_string(i + 2));
  testing::internal::CaptureStderr();
  field.warn();
  return testing::internal::GetCapturedStderr();
}

TEST(Names, HaveNoBlanksAtTheirEnds) {
  EXPECT_EQ(plain_name(" gpt 4\t\u00a0\n"), "gpt 4");
  const Json text(" q1 "), number(1.0);
  EXPECT_EQ(name_of(&text), "q1");
  EXPECT_EQ(name_of(&number), "1");
  EXPECT_EQ(told({"gpt4", "gpt4 ", "\u00a0gpt4"}),
            "warning: 2 rows have blanks at an end of the field \"system\", which are left out: "
            "\"gpt4 \" (a.csv:3), \"\u00a0gpt4\" (a.csv:4)\n");
  EXPECT_EQ(told({"gpt4", "gpt-4", "gpt 4"}), "");
}

// Of case, of composed characters, and of compatibility forms such as wide letters.
TEST(Names, ThatLookAlikeAreToldWithBoth) {
  EXPECT_EQ(told({"GPT4", "gpt4", "gpt4 "}),
            "warning: 1 row has blanks at an end of the field \"system\", which are left out: "
            "\"gpt4 \" (a.csv:4)\n"
            "warning: names in the field \"system\" differ in case or in the form of Unicode "
            "alone: \"GPT4\" (1 row) and \"gpt4\" (2 rows). Each counts by itself: write them "
            "alike if they are one\n");
  for (const auto& [one, other] : {std::pair("caf\u00e9", "cafe\u0301"), {"a", "\uff41"}}) {
    expect_contains(told({one, other}), "differ in case or in the form of Unicode alone");
    EXPECT_EQ(told({one, other}, /*are_ids=*/true), "");
  }
}

}  // namespace rubric::data::names_test
