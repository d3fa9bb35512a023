#include "data/rows/seen_rows.h"

#include <gtest/gtest.h>

namespace rubric::data::seen_rows_test {

const std::vector<std::string> kLerc = {"lerc"};

std::string with_seen(const std::string& row, const std::string& how) {
  Json json = Json::parse(row, "row");
  set_seen(json, "seen", kLerc, how);
  return json.dump();
}

TEST(SeenRows, OfAnEarlierScoreAreReplaced) {
  EXPECT_EQ(with_seen("{}", "trained"), R"({"seen": {"lerc": "trained"}})");
  EXPECT_EQ(with_seen(R"({"seen": {"lerc": "trained", "x": "tuned"}})", "tuned"),
            R"({"seen": {"x": "tuned", "lerc": "tuned"}})");
  EXPECT_EQ(with_seen(R"({"seen": {"lerc": "trained", "x": "tuned"}})", ""),
            R"({"seen": {"x": "tuned"}})");
  EXPECT_EQ(with_seen(R"({"id": 1, "seen": {"lerc": "trained"}})", ""), R"({"id": 1})");
  EXPECT_EQ(with_seen(R"({"seen.lerc": "trained", "seen.x": "tuned"})", ""),
            R"({"seen.x": "tuned"})");
  EXPECT_EQ(with_seen(R"({"seen": "yes"})", ""), R"({"seen": "yes"})");
}

TEST(SeenRows, AreReadFromRowsAndColumns) {
  for (const char* const row : {R"({"seen": {"lerc": "tuned"}})", R"({"seen.lerc": "tuned"})"}) {
    const Json json = Json::parse(row, "row");
    EXPECT_TRUE(is_seen(json, "lerc", kSeenTuned));
    EXPECT_FALSE(is_seen(json, "lerc", kSeenTrained));
    EXPECT_FALSE(is_seen(json, "f1", kSeenTuned));
  }
  for (const char* const row : {"{}", R"({"seen": true})", R"({"seen": {"lerc": 1}})"}) {
    EXPECT_FALSE(is_seen(Json::parse(row, "row"), "lerc", kSeenTuned)) << row;
  }
}

}  // namespace rubric::data::seen_rows_test
