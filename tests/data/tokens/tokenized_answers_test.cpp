#include "data/tokens/tokenized_answers.h"

#include <gtest/gtest.h>

#include "data/tokens/tokenize_answers.h"
#include "messages.h"
#include "paths.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::data::tokenized_answers_test {

const text::WordPiece& wordpiece() {
  static const text::WordPiece instance =
      text::WordPiece::from_directory(std::string(fixtures_folder()) + "/lerc");
  return instance;
}

Answer answer_of(const std::string& id, const std::string& constituent, const std::string& question,
                 const std::string& candidate, double score) {
  Answer answer;
  answer.id = id;
  answer.constituent = constituent;
  answer.source = "gpt2";
  answer.passage = "rain";
  answer.question = question;
  answer.references = {"reference of " + question};
  answer.candidate = candidate;
  answer.score = score;
  return answer;
}

// id, reference, candidate and score of what augmenting adds.
std::vector<std::string> added_by(const Augmentation& augmentation,
                                  const std::vector<Answer>& answers) {
  const std::vector<Answer> all = augment(answers, augmentation);
  std::vector<std::string> added;
  for (size_t i = 0; i < all.size(); ++i) {
    const Answer& answer = all[i];
    if (i < answers.size()) {
      EXPECT_EQ(answer.id, answers[i].id);
      EXPECT_EQ(answer.candidate, answers[i].candidate);
      continue;
    }
    EXPECT_EQ(answer.references.size(), 1u);
    EXPECT_EQ(answer.passage, "rain");
    added.push_back(answer.constituent + "/" + answer.id + ": " + answer.references[0] + " | " +
                    answer.candidate + " | " + std::to_string(*answer.score).substr(0, 3));
  }
  return added;
}

const std::vector<Answer> kAnswers = {
    answer_of("a", "drop", "one", "x", 5), answer_of("b", "drop", "one", "y", 4.9),
    answer_of("c", "drop", "two", "z", 5), answer_of("a", "quoref", "one", "w", 1)};

TEST(Augment, AddsOneIdentityRowAQuestion) {
  const std::vector<std::string> expected = {
      "drop/a#identity: reference of one | reference of one | 5.0",
      "drop/c#identity: reference of two | reference of two | 5.0",
      "quoref/a#identity: reference of one | reference of one | 5.0"};
  EXPECT_EQ(added_by({.identity = true, .swap = false}, kAnswers), expected);
}

TEST(Augment, ASwappedRowKeepsTheOtherReferences) {
  Answer answer = answer_of("a", "drop", "one", "x", 5);
  answer.references = {"first", "second"};
  const std::vector<Answer> all = augment({answer}, {.identity = false, .swap = true});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].references, (std::vector<std::string>{"x", "second"}));
}

TEST(Augment, SwapsRowsOfScoreFive) {
  const std::vector<std::string> expected = {"drop/a#swapped: x | reference of one | 5.0",
                                             "drop/c#swapped: z | reference of two | 5.0"};
  EXPECT_EQ(added_by({.identity = false, .swap = true}, kAnswers), expected);
  EXPECT_EQ(added_by({.identity = true, .swap = true}, kAnswers).size(), 5u);
  EXPECT_TRUE(added_by({}, kAnswers).empty());
}

TEST(Augment, TheSameQuestionAboutAnotherPassageIsAnother) {
  std::vector<Answer> answers(2, answer_of("a", "drop", "one", "x", 1));
  answers[1].passage = "a bridge";
  EXPECT_EQ(augment(answers, {.identity = true, .swap = false}).size(), 4u);
}

TEST(TokenizeAnswers, KeepsLabelsIdsAndConstituents) {
  const AnswerTemplate answer_template{{"passage", "question", "reference", "candidate"}, 64};
  const TokenizedAnswers rows = tokenize_answers(kAnswers, wordpiece(), answer_template, "f.json");
  EXPECT_EQ(rows.rows(), 4);
  EXPECT_EQ(rows.labels, (std::vector<double>{5, 4.9, 5, 1}));
  EXPECT_EQ(rows.ids, (std::vector<std::string>{"a", "b", "c", "a"}));
  EXPECT_EQ(rows.constituents, (std::vector<std::string>{"drop", "drop", "drop", "quoref"}));
  EXPECT_EQ(rows.truncated, std::vector<char>(4, 0));
  AnswerEncoder encoder(wordpiece(), answer_template);
  TokenBatch expected;
  for (const Answer& answer : kAnswers) encoder.encode(answer, answer.references[0], expected);
  EXPECT_EQ(rows.tokens.ids, expected.ids);
  EXPECT_EQ(rows.tokens.segments, expected.segments);
  EXPECT_EQ(rows.tokens.offsets, expected.offsets);
}

TEST(TokenizeAnswers, MarksTheRowsThatWereCut) {
  std::vector<Answer> answers = kAnswers;
  for (int i = 0; i < 100; ++i) answers[2].passage += " rain";
  EXPECT_EQ(tokenize_answers(answers, wordpiece(), {{"passage", "candidate"}, 64}, "").truncated,
            (std::vector<char>{0, 0, 1, 0}));
}

TEST(TokenizeAnswers, ErrorsNameFileAndRecord) {
  std::vector<Answer> answers = kAnswers;
  answers[1].score = std::nullopt;
  EXPECT_EQ(
      input_error([&] { tokenize_answers(answers, wordpiece(), {}, "test.json"); }),
      error_lines("a row without a score cannot be trained or validated on",
                  "test.json: record drop/b",
                  "use a split with labels; a score of another name is named by --field score=…"));
  answers = kAnswers;
  AnswerTemplate narrow;
  narrow.max_length = 8;  // [CLS], four [SEP], and too few for a token of each field
  narrow.cut = "candidate";
  expect_contains(input_error([&] { tokenize_answers(answers, wordpiece(), narrow, "t.json"); }),
                  "t.json: record drop/a");
}

// The vocabulary of bert-base-uncased: of other scripts it has letters and few Chinese characters.
TEST(Uncovered, TextsThatTheVocabularyDoesNotCoverAreCounted) {
  const text::WordPiece english =
      text::WordPiece::from_directory(std::string(source_folder()) + "/models/lerc-answers-small");
  const auto warning = [&](const std::vector<std::string>& candidates) {
    std::vector<Answer> answers;
    for (const std::string& text : candidates) answers.push_back(answer_of("a", "", "q", text, 1));
    return stderr_of([&] { warn_of_uncovered(answers, english); });
  };
  expect_contains(warning({"Paris", "Александр Сергеевич Пушкин", "中华人民共和国"}),
                  "does not cover a text of 2 of 3 rows, such as \"Александр Сергеевич Пушкин\"");
  for (const char* text : {"서울특별시", "القاهرة", "Αθήνα", "東京タワー", "a smile 🙂"}) {
    expect_contains(warning({text}), "1 of 1 row");
  }
  EXPECT_EQ(warning({"Paris", "", "Curaçao, São Tomé", "5 μm", "£5 – “ten”", "Dvořák’s", "90 °C",
                     "the Russian word мир means peace", "π"}),
            "");
}

TEST(WithoutConstituents, KeepsTheOtherRows) {
  TokenizedAnswers all;
  all.tokens = {{1, 2, 3, 4}, {0, 1, 0, 1}, {0, 1, 3, 4}, {}};
  all.labels = {5, 4, 3};
  all.ids = {"a", "b", "c"};
  all.constituents = {"drop", "quoref", "drop"};
  all.truncated = {1, 0, 1};
  all.same_answer = {0, 0, 1};
  const TokenizedAnswers kept = without_constituents(all, {"drop"}, "f");
  EXPECT_EQ(kept.tokens.ids, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(kept.tokens.offsets, (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(kept.labels, std::vector<double>{4});
  EXPECT_EQ(kept.ids, std::vector<std::string>{"b"});
  EXPECT_EQ(kept.constituents, std::vector<std::string>{"quoref"});
  EXPECT_EQ(kept.truncated, std::vector<char>{0});
  EXPECT_EQ(kept.same_answer, std::vector<char>{0});
  EXPECT_EQ(without_constituents(all, {}, "f").rows(), 3);
  EXPECT_EQ(without_constituents(all, {"quoref", "drop"}, "f").rows(), 0);
  EXPECT_EQ(input_error([&] { without_constituents(all, {"quorefs"}, "f (data.hold_out)"); }),
            error_lines("the file has no constituent \"quorefs\" to hold out", "f (data.hold_out)",
                        "it has drop, quoref; did you mean \"quoref\"?"));
  EXPECT_EQ(input_error([&] { without_constituents(all, {"narrativeqa"}, "f"); }),
            error_lines("the file has no constituent \"narrativeqa\" to hold out", "f",
                        "it has drop, quoref"));
}

}  // namespace rubric::data::tokenized_answers_test
