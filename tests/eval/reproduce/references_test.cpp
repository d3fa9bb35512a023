#include <gtest/gtest.h>

#include "eval/reproduce/plan.h"
#include "messages.h"

namespace rubric::eval::references_test {

std::string shown(const std::string& text) {
  return fill_placeholders(text, "f.yaml:1", [](const Placeholder& placeholder) {
    std::string value = "<" + placeholder.name;
    for (const auto& [axis, given] : placeholder.given) value += " " + axis + " is " + given;
    return value + ">";
  });
}

TEST(ExperimentText, FillsInEachPlaceholder) {
  EXPECT_EQ(shown("{a}/x{b}"), "<a>/x<b>");
  EXPECT_EQ(shown("plain"), "plain");
  EXPECT_EQ(shown("{step:file=dev,seed=1}/model"), "<step file is dev seed is 1>/model");
}

TEST(ExperimentText, NamesMayHoldNames) {
  const auto value = [](const Placeholder& placeholder) -> std::string {
    return placeholder.name == "set" ? "dev" : "<" + placeholder.name + ">";
  };
  EXPECT_EQ(fill_placeholders("{rows_{set}}/x", "", value), "<rows_dev>/x");
  EXPECT_EQ(fill_placeholders("{{set}_{set}}{set}", "", value), "<dev_dev>dev");
}

TEST(ExperimentText, RefusesBracesWithoutPartner) {
  for (const char* const text : {"{a", "a}", "{}", "{a{b}", "{a{}}", "{a:b}", "{a:=b}"}) {
    EXPECT_TRUE(holds(input_error([&] { shown(text); }), "f.yaml:1")) << text;
  }
}

}  // namespace rubric::eval::references_test
