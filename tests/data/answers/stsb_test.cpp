#include "data/answers/stsb.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/files/gzip.h"
#include "data/reading.h"

namespace rubric::data::stsb_test {

using Stsb = Reading<read_stsb>;

TEST_F(Stsb, TheFirstSentenceIsTheReference) {
  const auto answers = read("\"A man, old.\",A man.,3.8\n\"One \"\"b\"\"\",Two,0\n", "x.csv");
  EXPECT_EQ(rows_text(answers),
            R"({"id": "1", "reference": "A man, old.", "candidate": "A man.", "score": 3.8}
{"id": "2", "reference": "One \"b\"", "candidate": "Two", "score": 0}
)");
}

TEST_F(Stsb, AHeaderNamesGluesColumns) {
  const std::string header = "index\tgenre\tsentence1\tsentence2";
  const auto answers = read(header + "\tscore\n0\tnews\ta \"quote\tb\t4.200\n", "train.tsv");
  EXPECT_EQ(rows_text(answers),
            R"({"id": "1", "reference": "a \"quote", "candidate": "b", "score": 4.2}
)");
  EXPECT_EQ(read(header + "\n0\tnews\ta\tb\n", "test.tsv")[0].score, std::nullopt);
  EXPECT_EQ(read(gzip(header + "\n0\tnews\ta\tb\n"), "test.tsv.gz")[0].candidate, "b");
}

TEST_F(Stsb, WhatIsWrongIsNamed) {
  EXPECT_EQ(error("a,b,1\na,b\n", "x.csv"),
            error_lines("the row has 2 columns instead of 3", folder_.file("x.csv") + ":2",
                        "STS-B's rows are sentence1, sentence2, score, or as a header says"));
  for (const char* score : {"5.1", "-0.1", "", "x", "nan", "1 "}) {
    expect_contains(error(std::string("a,b,") + score + "\n", "x.csv"),
                    "the score must be a number from 0 to 5, it is \"" + std::string(score) + "\"");
  }
  expect_contains(error("", "x.csv"), "the file has no rows");
  expect_contains(error("sentence1\tsentence2\tscore\n", "x.tsv"), "the file has no rows");
}

// Sizes as the data set's authors give them.
TEST(StsbRealData, HasItsPublishedSizes) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::filesystem::path folder = std::filesystem::path(data) / "stsb";
  EXPECT_EQ(read_stsb(folder / "stsb-en-train.csv").size(), 5749u);
  EXPECT_EQ(read_stsb(folder / "stsb-en-dev.csv").size(), 1500u);
  EXPECT_EQ(read_stsb(folder / "stsb-en-test.csv").size(), 1379u);
}

}  // namespace rubric::data::stsb_test
