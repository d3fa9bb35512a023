#include "data/rationales/cose.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "data/rationales/las.h"
#include "data/reading.h"

namespace rubric::data::cose_test {

std::string question(const std::string& id, const std::string& key) {
  return R"({"answerKey": ")" + key + R"(", "id": ")" + id +
         R"(", "question": {"choices": [{"label": "A", "text": "hill"}, )"
         R"({"label": "B", "text": "harbour"}], "stem": "Where?"}})"
         "\n";
}

std::string explanation(const std::string& id, const std::string& text) {
  return R"({"id": ")" + id + R"(", "explanation": {"open-ended": ")" + text +
         R"(", "selected": "where"}})"
         "\n";
}

struct Cose : testing::Test {
  TemporaryFolder folder_;
};

TEST_F(Cose, ExplanationsGetTheirQuestions) {
  auto found = read_cose(folder_.write("cose.jsonl", explanation("b", "It is calm.") +
                                                         explanation("x", "Nobody asks.") +
                                                         explanation("c", "High.")));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].record.id, "b");
  EXPECT_EQ(found[0].record.question, "");
  EXPECT_EQ(found[0].record.rationale, "It is calm.");
  add_questions(found, read_commonsenseqa(
                           {folder_.write("train.jsonl", question("a", "A")),
                            folder_.write("dev.jsonl", question("b", "B") + question("c", "Z"))}));
  expect_says(
      rows_text(found),
      {R"(:1 {"id": "b", "question": "Where?", "choices": ["hill", "harbour"], "label": "harbour", "gold": "harbour", "rationale": "It is calm."})",
       ":2 x: no question has the id", ":3 c: the answerKey \"Z\" is not the letter of a choice"});
}

TEST_F(Cose, AQuestionStandsOnce) {
  const std::string first = folder_.write("train.jsonl", question("a", "A"));
  const std::string second = folder_.write("dev.jsonl", question("b", "A") + question("a", "B"));
  EXPECT_EQ(input_error([&] {
              read_commonsenseqa({first, second});
            }),
            error_lines("the question a is there twice", second + ":2",
                        "it is at " + first + ":1, too: leave one out"));
}

TEST_F(Cose, AnotherFormIsRefused) {
  const auto error = [&](const std::string& text) {
    return input_error([&] { read_cose(folder_.write("cose.jsonl", text)); });
  };
  expect_contains(error(explanation("a", "x") + R"({"id": "b", "explanation": "y"})"),
                  "cose.jsonl:2: b");
  expect_contains(error(R"({"id": "b", "explanation": {"selected": "y"}})"), "\"open-ended\"");
  expect_contains(error(R"({"explanation": {"open-ended": "y"}})"), "\"id\"");
  expect_contains(error("{\"id\": \"\xFF\"}"), "cose.jsonl:1");
}

bool is_ascii(const Rationale& record) {
  std::string text = record.question;
  for (const std::string& choice : record.choices) text += choice;
  return std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
}

struct CoseRealData : testing::Test {
  void SetUp() override {
    const char* const data = std::getenv("RUBRIC_DATA");
    if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
    folder_ = data;
  }
  RationaleSet joined(const std::string& file) const {
    auto found = read_cose(folder_ / "cose" / file);
    add_questions(found, read_commonsenseqa({folder_ / "cose/v1.0/train_rand_split.jsonl",
                                             folder_ / "cose/v1.0/dev_rand_split.jsonl"}));
    return usable_rationales(std::move(found));
  }

  std::filesystem::path folder_;
};

// The authors of LAS give the same data in another form, what is not ASCII wrongly decoded.
TEST_F(CoseRealData, AgreesWithLas) {
  for (const std::string split : {"train", "dev"}) {
    const RationaleSet cose = joined("v1.0/cose_" + split + "_v1.0_processed.jsonl");
    EXPECT_TRUE(cose.unusable.empty());
    std::map<std::string, Rationale> by_id;
    for (const Rationale& record : cose.records) by_id[record.id] = record;
    const auto las = read_las(folder_ / "las_cqa" / (split + ".csv"));
    ASSERT_EQ(las.size(), by_id.size());
    for (const RationaleExample& found : las) {
      const Rationale& record = by_id.at(found.record.id);
      if (!is_ascii(record)) continue;
      ASSERT_EQ(found.record.question, record.question);
      ASSERT_EQ(found.record.choices, record.choices);
      ASSERT_EQ(found.record.label, record.label);
    }
  }
}

// Counted by a program in Python.
TEST_F(CoseRealData, ManyQuestionsOfTheLaterVersionAreNotInTheFirst) {
  const RationaleSet train = joined("v1.11/cose_train_v1.11.jsonl");
  EXPECT_EQ(train.records.size() + train.unusable.size(), 9741u);
  EXPECT_EQ(train.unusable.size(), 2550u);
  const RationaleSet dev = joined("v1.11/cose_dev_v1.11_processed.jsonl");
  EXPECT_EQ(dev.records.size() + dev.unusable.size(), 1221u);
  EXPECT_EQ(dev.unusable.size(), 320u);
}

}  // namespace rubric::data::cose_test
