#include "data/rationales/esnli.h"

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace rubric::data::esnli_test {

const std::string kTrain =
    "pairID,gold_label,Sentence1,Sentence2,Explanation_1,WorkerId\n"
    "1.jpg#0r1n,neutral,\"A boat, moored.\",It is old.,A moored boat may be new.,W\n"
    "1.jpg#0r1e,entailment,A boat.,A vessel.,A boat is a vessel.,W\n"
    "1.jpg#0r1x,-,A boat.,A vessel.,Who knows.,W\n";
const std::string kDev =
    "pairID,gold_label,Sentence1,Sentence2,Explanation_1,Sentence1_marked_1,Explanation_2,"
    "Explanation_3\n"
    "p,contradiction,A boat.,A car.,one,A *boat*.,two,three\n";
const std::string kLasRow =
    "unique_key\tlabel\tpremise\thypothesis\texplanation1\texplanation2\texplanation3\n"
    "a\t0\tA \"boat\" .\tIt is old .\t`` x ''\ty\tz\n"
    "b\t1\tA boat .\tA vessel .\tx\ty\t\n"
    "c\t2\tA boat .\tA car .\tx\ty\tz\n"
    "d\t3\tA boat .\tA car .\tx\ty\tz\n";

struct Esnli : testing::Test {
  std::vector<RationaleExample> read(const std::string& name, const std::string& text,
                                     int64_t explanation = 1) const {
    return read_esnli(folder_.write(name, text), explanation);
  }

  TemporaryFolder folder_;
};

TEST_F(Esnli, ReadsThePublishedForm) {
  const auto found = read("train.csv", kTrain);
  EXPECT_EQ(
      rows_text(found),
      R"(:2 {"id": "1.jpg#0r1n", "premise": "A boat, moored.", "hypothesis": "It is old.", "choices": ["entailment", "neutral", "contradiction"], "label": "neutral", "gold": "neutral", "rationale": "A moored boat may be new."}
:3 {"id": "1.jpg#0r1e", "premise": "A boat.", "hypothesis": "A vessel.", "choices": ["entailment", "neutral", "contradiction"], "label": "entailment", "gold": "entailment", "rationale": "A boat is a vessel."}
:4 1.jpg#0r1x: the label "-" is unknown
)");
  EXPECT_EQ(found[1].where, folder_.file("train.csv") + ":3");
}

TEST_F(Esnli, ReadsTheFormOfLas) {
  const auto found = read("dev.tsv", kLasRow, 2);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].record.premise, "A \"boat\" .");
  EXPECT_EQ(found[0].record.rationale, "y");
  EXPECT_EQ(found[0].record.label, "neutral");
  EXPECT_EQ(found[1].record.label, "entailment");
  EXPECT_EQ(found[2].record.label, "contradiction");
  EXPECT_EQ(found[3].problem, "the label \"3\" is unknown");
  EXPECT_EQ(read("dev.tsv", kLasRow, 1)[0].record.rationale, "`` x ''");
}

TEST_F(Esnli, EveryExplanationIsReached) {
  EXPECT_EQ(read("dev.csv", kDev, 3)[0].record.rationale, "three");
  EXPECT_EQ(read("dev.csv", kDev, 3)[0].record.id, "p");
  const auto all = read("dev.csv", kDev, kAllExplanations);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].record.id, "p/1");
  EXPECT_EQ(all[1].record.rationale, "two");
  EXPECT_EQ(all[2].record.id, "p/3");
  EXPECT_EQ(all[2].record.label, "contradiction");
  EXPECT_EQ(read("train.csv", kTrain, kAllExplanations).size(), 3u);
  // Of three explanations the one that is empty cannot be used.
  const RationaleSet set =
      usable_rationales(read("las.tsv", kLasRow.substr(0, kLasRow.find("c\t2")), kAllExplanations));
  EXPECT_EQ(set.records.size(), 5u);
  ASSERT_EQ(set.unusable.size(), 1u);
  EXPECT_EQ(set.unusable[0].record.id, "b/3");
}

TEST_F(Esnli, MissingColumnsAreNamed) {
  const std::string message = input_error([&] { read("train.csv", kTrain, 2); });
  expect_says(message, {"the column \"Explanation_2\" is missing", "training files have no more"});
  for (const std::string column : {"pairID", "gold_label", "Sentence1", "Sentence2"}) {
    std::string text = kTrain;
    text.replace(text.find(column), column.size(), "other");
    expect_contains(input_error([&] { read("train.csv", text); }),
                    "the column \"" + column + "\" is missing");
  }
  std::string text = kLasRow;
  text.replace(text.find("premise"), 7, "other");
  expect_contains(input_error([&] { read("dev.tsv", text); }), "give LAS's TSV");
}

// Counts of a program in Python; 9,842 and 9,824 are Table 3's.
TEST(EsnliRealData, HasTheCountsOfThePaper) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::filesystem::path folder = std::filesystem::path(data) / "esnli";
  const RationaleSet dev = usable_rationales(read_esnli(folder / "dev.tsv"));
  EXPECT_EQ(dev.records.size(), 9842u);
  EXPECT_TRUE(dev.unusable.empty());
  std::map<std::string, int64_t> labels;
  for (const Rationale& record : dev.records) ++labels[record.label];
  EXPECT_EQ(labels, (std::map<std::string, int64_t>{
                        {"entailment", 3329}, {"neutral", 3235}, {"contradiction", 3278}}));
  // What its name ends with is the label, as SNLI gave it to the pair.
  EXPECT_EQ(dev.records[0].id, "4705552913.jpg#2r1n");
  EXPECT_EQ(dev.records[0].label, "neutral");
  const RationaleSet test = usable_rationales(read_esnli(folder / "test.tsv", kAllExplanations));
  EXPECT_EQ(test.records.size(), 3u * 9824);
  EXPECT_TRUE(test.unusable.empty());
}

}  // namespace rubric::data::esnli_test
