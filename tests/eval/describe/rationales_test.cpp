#include <gtest/gtest.h>

#include "eval/describe/describe.h"
#include "eval/result/render.h"
#include "measured.h"

namespace rubric::eval::rationales_test {

data::Rationale question(const std::string& text, std::vector<std::string> choices,
                         const std::string& label, const std::string& rationale) {
  data::Rationale record;
  record.question = text;
  record.choices = std::move(choices);
  record.label = record.gold = label;
  record.rationale = rationale;
  return record;
}

// Two questions, one asked twice; words: 5 ("A", "harbour", "is", "calm", "."), 2, 2.
RationaleCounts example_counts() {
  const std::vector<data::Rationale> records = {
      question("Where?", {"hill", "the harbour"}, "the harbour", "A Harbour is calm."),
      question("Where?", {"hill", "the harbour"}, "hill", "Hills hill"),
      question("When?", {"now", "then", "never"}, "then", "strengthens it")};
  return count_rationales("train", records);
}

TEST(RationaleDescription, CountsExamplesAndLabels) {
  const RationaleCounts counts = example_counts();
  EXPECT_EQ(counts.examples, 3);
  EXPECT_EQ(counts.questions, 2);
  EXPECT_EQ(counts.least_choices, 2);
  EXPECT_EQ(counts.most_choices, 3);
  EXPECT_DOUBLE_EQ(counts.rationale_words, 3);
  EXPECT_EQ(counts.with_label, 2);  // "then" is no word of "strengthens"
  EXPECT_EQ(counts.labels, (std::map<std::string, int64_t>{{"choice 1", 1}, {"choice 2", 2}}));
}

TEST(RationaleDescription, CallsInferencesLabelsByName) {
  data::Rationale record;
  record.premise = "p";
  record.hypothesis = "h";
  record.choices = {"entailment", "neutral", "contradiction"};
  record.label = "neutral";
  record.rationale = "r";
  data::Rationale other = record;
  other.hypothesis = "i";
  const RationaleCounts counts = count_rationales("dev", std::vector{record, other, record});
  EXPECT_EQ(counts.questions, 2);
  EXPECT_EQ(counts.labels, (std::map<std::string, int64_t>{{"neutral", 3}}));
}

TEST(RationaleDescription, PrintsARowASplit) {
  data::Rationale alone;
  alone.rationale = "two words";
  RationaleCounts dev = count_rationales("dev", std::vector{alone});
  dev.unusable = {"no question has the id (1): x"};
  const std::vector<RationaleCounts> splits = {example_counts(), dev};
  const Result result = rationale_description(splits);
  const std::vector<Table> tables = result_tables(result, kPrintedText);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].rows,
            (std::vector<std::vector<std::string>>{{"train", "3", "2", "2 / 3", "3.0", "2"},
                                                   {"dev", "1", "", "– / –", "2.0", ""}}));
  EXPECT_EQ(tables[0].notes.back(), "dev, left out: no question has the id (1): x");
  EXPECT_EQ(tables[1].header, (std::vector<std::string>{"split", "choice 1", "choice 2"}));
  EXPECT_EQ(tables[1].rows, (std::vector<std::vector<std::string>>{{"train", "1", "2"}}));
  const Result without_labels = rationale_description({&splits[1], 1});
  EXPECT_EQ(result_tables(without_labels, kPrintedText).size(), 1u);
  EXPECT_EQ(without_labels.measurements.size(), 2u);  // examples, rationale_words
  const Json json = to_json(result);
  EXPECT_EQ(value_of(json, "most_choices", {.subset = "train"}), 3);
  EXPECT_EQ(value_of(json, "examples", {.group = "choice 2", .subset = "train"}), 2);
  EXPECT_EQ(value_of(json, "rationale_words", {.subset = "dev"}), 2);
  EXPECT_EQ(value_of(json, "examples"), 3 + 1);
  EXPECT_EQ(value_of(json, "examples", {.group = "choice 2"}), 2);
}

}  // namespace rubric::eval::rationales_test
