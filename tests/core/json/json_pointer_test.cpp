#include <gtest/gtest.h>

#include "core/json/json.h"
#include "messages.h"

namespace rubric::json_pointer_test {

const Json kDocument =
    Json::parse(R"({"a": {"b/c": [10, 20], "m~n": null}, "pearson": 0.5})", "document");

TEST(JsonPointer, LeadsToMembersAndElements) {
  EXPECT_EQ(at_pointer(kDocument, "/pearson", "here").number(), 0.5);
  EXPECT_EQ(at_pointer(kDocument, "/a/b~1c/1", "here").number(), 20);
  EXPECT_TRUE(at_pointer(kDocument, "/a/m~0n", "here").is_null());
  EXPECT_TRUE(at_pointer(kDocument, "", "here").is_object());
}

TEST(JsonPointer, SaysHowFarItLeads) {
  EXPECT_EQ(
      input_error([] { at_pointer(kDocument, "/a/b~1d", "f.yaml:3"); }),
      error_lines("nothing at \"/a/b~1d\": no \"b/d\" below /a", "f.yaml:3", "did you mean b/c?"));
  expect_contains(input_error([] { at_pointer(kDocument, "/pearsen", "f"); }),
                  "did you mean pearson?");
  expect_contains(input_error([] { at_pointer(kDocument, "/a/b~1c/2", "f"); }), "an array");
  expect_contains(input_error([] { at_pointer(kDocument, "/a/b~1c/-1", "f"); }), "no \"-1\"");
  expect_contains(input_error([] { at_pointer(kDocument, "/pearson/x", "f"); }), "a number");
  expect_contains(input_error([] { at_pointer(kDocument, "a", "f"); }), "begin it with /");
}

TEST(JsonPointer, AnItemIsNamedByAllOfItsTexts) {
  const Json json = Json::parse(
      R"({"m": [{"s": "mean", "v": 1}, {"s": "mean", "g": "a/b,c", "v": 2},
                {"s": "p", "v": 3}, {"s": "p", "v": 4}, 5,
                {"s": "r", "v": null, "why_missing": "constant"}]})",
      "");
  EXPECT_EQ(at_pointer(json, "/m/[s=mean]/v", "").number(), 1);
  EXPECT_EQ(at_pointer(json, "/m/[g=" + pointer_part("a/b,c") + ",s=mean]/v", "").number(), 2);
  EXPECT_TRUE(at_pointer(json, "/m/[s=r]/v", "").is_null());
  for (const char* pointer : {"/m/[g=a]", "/m/[s=p]", "/m/[s]", "/m/[]", "/m/[s=mean,s=mean]"}) {
    expect_contains(input_error([&] { at_pointer(json, pointer, "f"); }), "nothing at");
  }
}

TEST(JsonPointer, EscapesAName) {
  EXPECT_EQ(pointer_part("a/b~c"), "a~1b~0c");
}

}  // namespace rubric::json_pointer_test
