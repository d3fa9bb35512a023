#include "data/rationales/las.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace rubric::data::las_test {

using Las = Reading<read_las>;

TEST_F(Las, TheLabelIsAChoicesNumber) {
  const auto found = read(
      "id,question,choice_0,choice_1,choice_2,label,human_exp\n"
      "a,\"Cold, wet?\",fire,rain,bread,1,rain is wet\nb,Hot?,fire,rain,bread,3,x\n"
      "c,Hot?,fire,rain,bread,-1,x\nd,Hot?,fire,rain,bread,one,x\n");
  EXPECT_EQ(
      rows_text(found),
      R"(:2 {"id": "a", "question": "Cold, wet?", "choices": ["fire", "rain", "bread"], "label": "rain", "gold": "rain", "rationale": "rain is wet"}
:3 b: the label "3" is not the number of any of 3 choices
:4 c: the label "-1" is not the number of any of 3 choices
:5 d: the label "one" is not the number of any of 3 choices
)");
}

// The counts of data/README.md; that the two forms of one data set agree is tested with CoS-E.
TEST(LasRealData, TestHasNoExplanations) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::filesystem::path folder = std::filesystem::path(data) / "las_cqa";
  EXPECT_EQ(usable_rationales(read_las(folder / "train.csv")).records.size(), 7610u);
  expect_contains(input_error([&] { read_las(folder / "test.csv"); }),
                  "the column \"label\" is missing");
}

}  // namespace rubric::data::las_test
