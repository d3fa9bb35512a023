#include "data/answers/stsb.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/files/gzip.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::stsb_test {

struct Stsb : testing::Test {
  std::vector<Answer> read(const std::string& name, const std::string& text) const {
    return read_stsb(folder_.write(name, text));
  }
  std::string error(const std::string& name, const std::string& text) const {
    return input_error([&] { read(name, text); });
  }

  TemporaryFolder folder_;
};

TEST_F(Stsb, TheFirstSentenceIsTheReference) {
  const auto answers = read("x.csv", "\"A man, old.\",A man.,3.8\n\"One \"\"b\"\"\",Two,0\n");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].id, "1");
  EXPECT_EQ(answers[0].references, std::vector<std::string>{"A man, old."});
  EXPECT_EQ(answers[0].candidate, "A man.");
  EXPECT_EQ(answers[0].score, 3.8);
  EXPECT_EQ(answers[0].question, "");
  EXPECT_EQ(answers[1].references, std::vector<std::string>{"One \"b\""});
  EXPECT_EQ(answers[1].score, 0);
}

TEST_F(Stsb, AHeaderNamesGluesColumns) {
  const std::string header = "index\tgenre\tsentence1\tsentence2";
  const auto answers = read("train.tsv", header + "\tscore\n0\tnews\ta \"quote\tb\t4.200\n");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].references, std::vector<std::string>{"a \"quote"});
  EXPECT_EQ(answers[0].candidate, "b");
  EXPECT_EQ(answers[0].score, 4.2);
  EXPECT_EQ(read("test.tsv", header + "\n0\tnews\ta\tb\n")[0].score, std::nullopt);
  EXPECT_EQ(read("test.tsv.gz", gzip(header + "\n0\tnews\ta\tb\n"))[0].candidate, "b");
}

TEST_F(Stsb, WhatIsWrongIsNamed) {
  EXPECT_EQ(error("x.csv", "a,b,1\na,b\n"),
            error_lines("the row has 2 columns instead of 3", folder_.file("x.csv") + ":2",
                        "STS-B's rows are sentence1, sentence2, score, or as a header says"));
  for (const char* score : {"5.1", "-0.1", "", "x", "nan", "1 "}) {
    expect_contains(error("x.csv", std::string("a,b,") + score + "\n"),
                    "the score must be a number from 0 to 5, it is \"" + std::string(score) + "\"");
  }
  expect_contains(error("x.csv", ""), "the file has no rows");
  expect_contains(error("x.tsv", "sentence1\tsentence2\tscore\n"), "the file has no rows");
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
