// Labels of annotators, read from rows.
#include <gtest/gtest.h>

#include "eval/chie/chie.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval::chie_human_labels_test {

struct HumanLabels : testing::Test {
  std::vector<HumanLabel> read(const std::string& name, const std::string& text) {
    return read_human_labels(folder_.write(name, text));
  }
  std::string refusal(const std::string& row) {
    return input_error([&] { read("labels.jsonl", row + "\n"); });
  }

  TemporaryFolder folder_;
};

TEST_F(HumanLabels, AreRowsOfATable) {
  const std::vector<HumanLabel> labels = read("labels.csv",
                                              "id,system,annotator,C,H,I,E\n1,llama,a,1,0,0.0,1."
                                              "0\n2,llama,b,Agree,disagree, TRUE ,False\n");
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(labels[0].id, "1");
  EXPECT_EQ(labels[0].system, "llama");
  EXPECT_EQ(labels[0].annotator, "a");
  EXPECT_EQ(labels[0].language, "");
  EXPECT_EQ(labels[0].verdicts, (judge::Verdicts{true, false, false, true}));
  EXPECT_EQ(labels[1].verdicts, (judge::Verdicts{true, false, true, false}));
  expect_contains(labels[1].where, "labels.csv:3");
}

TEST_F(HumanLabels, AreJsonLines) {
  const std::vector<HumanLabel> labels =
      read("labels.jsonl", R"({"id": 7, "system": "llama", "language": "th", "annotator": 3,)"
                           R"( "C": true, "H": false, "I": 1, "E": "0"})"
                           "\n");
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0].id, "7");
  EXPECT_EQ(labels[0].language, "th");
  EXPECT_EQ(labels[0].annotator, "3");
  EXPECT_EQ(labels[0].verdicts, (judge::Verdicts{true, false, true, false}));
}

TEST_F(HumanLabels, WhatIsNoLabelIsRefused) {
  const std::string answer = R"({"id": "1", "system": "llama", "annotator": "a", )";
  expect_contains(refusal(answer + R"("C": 1, "H": 2, "I": 0, "E": 0})"), "\"H\" is \"2\"");
  expect_contains(refusal(answer + R"("C": 1, "H": "", "I": 0, "E": 0})"), "\"H\" is \"\"");
  expect_contains(refusal(answer + R"("C": 1, "H": null, "I": 0, "E": 0})"), "\"H\" is \"\"");
  expect_contains(refusal(answer + R"("C": 1, "H": 1, "I": 0})"), "\"E\"");
  expect_contains(refusal(R"({"id": "1", "system": "llama", "C": 1, "H": 1, "I": 0, "E": 0})"),
                  "\"annotator\" is missing or empty");
  // Also of an answer that no ledger has; another system's, language's and annotator's are others.
  const std::string rows =
      "id,system,language,annotator,C,H,I,E\n1,llama,en,a,1,0,0,1\n1,lion,en,a,1,0,0,1\n"
      "1,llama,th,a,1,0,0,1\n1,llama,en,b,1,0,0,1\n";
  EXPECT_EQ(read("labels.csv", rows).size(), 4u);
  const std::string twice =
      input_error([&] { read("labels.csv", rows + "1,llama,en,a,1,0,0,1\n"); });
  expect_says(twice, {"the annotator \"a\" labels id \"1\" of llama twice", "labels.csv:2 and ",
                      "labels.csv:6"});
  expect_contains(input_error([&] { read("labels.csv", "id,system,annotator,C,H,I,E\n"); }),
                  "the file has no rows");
  expect_contains(input_error([&] { read("labels.json", "{}"); }), "read as rows");
}

}  // namespace rubric::eval::chie_human_labels_test
