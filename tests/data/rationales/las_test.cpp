#include "data/rationales/las.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::las_test {

TEST(Las, TheLabelIsAChoicesNumber) {
  const TemporaryFolder folder;
  const auto found = read_las(
      folder.write("las.csv",
                   "id,question,choice_0,choice_1,choice_2,label,human_exp\n"
                   "a,\"Cold, wet?\",fire,rain,bread,1,rain is wet\nb,Hot?,fire,rain,bread,3,x\n"
                   "c,Hot?,fire,rain,bread,-1,x\nd,Hot?,fire,rain,bread,one,x\n"));
  ASSERT_EQ(found.size(), 4u);
  const Rationale& record = found[0].record;
  EXPECT_EQ(record.id, "a");
  EXPECT_EQ(record.question, "Cold, wet?");
  EXPECT_EQ(record.choices, (std::vector<std::string>{"fire", "rain", "bread"}));
  EXPECT_EQ(record.label, "rain");
  EXPECT_EQ(record.gold, "rain");
  EXPECT_EQ(record.rationale, "rain is wet");
  EXPECT_EQ(found[0].problem, "");
  EXPECT_EQ(found[1].problem, "the label \"3\" is not the number of any of 3 choices");
  EXPECT_EQ(found[2].problem, "the label \"-1\" is not the number of any of 3 choices");
  EXPECT_EQ(found[3].problem, "the label \"one\" is not the number of any of 3 choices");
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
