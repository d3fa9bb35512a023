#include <algorithm>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "data/tokens/tokenized_answers.h"
#include "messages.h"
#include "paths.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::data::answer_template_test {

const std::string kLerc = std::string(fixtures_folder()) + "/lerc";
constexpr int64_t kMaxLength = 64;  // of the fixture's model

const text::WordPiece& tokenizer() {
  static const text::WordPiece instance = text::WordPiece::from_directory(kLerc);
  return instance;
}

// "qac" is question, reference, candidate: how the fixture names input lists.
AnswerTemplate template_of(const std::string& letters) {
  AnswerTemplate answer_template{{}, kMaxLength};
  for (const char letter : letters) {
    answer_template.inputs.emplace_back(letter == 'p'   ? "passage"
                                        : letter == 'q' ? "question"
                                        : letter == 'a' ? "reference"
                                                        : "candidate");
  }
  return answer_template;
}

Answer answer_of(const Json& row) {
  Answer answer;
  answer.passage = row.require_string("passage", kLerc);
  answer.question = row.require_string("question", kLerc);
  answer.references = {row.require_string("reference", kLerc)};
  answer.candidate = row.require_string("candidate", kLerc);
  return answer;
}

void append_numbers(const Json& numbers, std::vector<int64_t>& out) {
  for (const Json& number : numbers.array()) out.push_back(static_cast<int64_t>(number.number()));
}

TEST(AnswerEncoder, GivesTheReferencesIdsAndSegments) {
  const Json rows = Json::parse_file(kLerc + "/expected.json");
  for (const std::string letters : {"pqac", "qac", "ac", "a", "c"}) {
    AnswerEncoder encoder(tokenizer(), template_of(letters));
    TokenBatch encoded, expected;
    int64_t cut = 0;
    for (const Json& row : rows.array()) {
      const Answer answer = answer_of(row);
      encoder.encode(answer, answer.references[0], encoded);
      const Json& reference = row.require("expected", kLerc).require(letters, kLerc);
      append_numbers(reference.require("ids", kLerc), expected.ids);
      append_numbers(reference.require("segments", kLerc), expected.segments);
      expected.offsets.push_back(std::ssize(expected.ids));
      cut += reference.require_number("cut", kLerc) > 0 ? 1 : 0;
    }
    EXPECT_EQ(encoded.ids, expected.ids) << letters;
    EXPECT_EQ(encoded.segments, expected.segments) << letters;
    EXPECT_EQ(encoded.offsets, expected.offsets) << letters;
    EXPECT_EQ(encoder.truncated(), cut) << letters;
    EXPECT_EQ(cut > 0, letters == "pqac");
  }
}

TEST(AnswerEncoder, InputsMayStandInAnyOrder) {
  Answer answer;
  answer.passage = "rain";
  answer.candidate = "a bridge";
  AnswerEncoder encoder(tokenizer(), template_of("cp"));
  TokenBatch rows;
  encoder.encode(answer, "unused", rows);
  std::vector<int64_t> ids = {tokenizer().cls_id()};
  tokenizer().encode("a bridge", ids);
  ids.push_back(tokenizer().sep_id());
  const size_t candidate_end = ids.size();
  tokenizer().encode("rain", ids);
  ids.push_back(tokenizer().sep_id());
  EXPECT_EQ(rows.ids, ids);
  std::vector<int64_t> segments = {0};
  segments.resize(candidate_end, 1);
  segments.resize(ids.size(), 0);
  EXPECT_EQ(rows.segments, segments);
}

TEST(AnswerEncoder, TakesTheReferenceItIsGiven) {
  Answer answer;
  answer.references = {"rain", "a bridge"};
  AnswerEncoder encoder(tokenizer(), template_of("a"));
  TokenBatch rows;
  encoder.encode(answer, answer.references[1], rows);
  std::vector<int64_t> ids = {tokenizer().cls_id()};
  tokenizer().encode("a bridge", ids);
  ids.push_back(tokenizer().sep_id());
  EXPECT_EQ(rows.ids, ids);
}

// As the tokenizer of transformers puts two texts together.
TEST(AnswerEncoder, GivesAPairOfSentencesAsBertTakesIt) {
  const Json rows = Json::parse_file(kLerc + "/expected.json");
  AnswerEncoder encoder(
      tokenizer(), rubric::data::template_of("similarity", {"reference", "candidate"}, kMaxLength,
                                             "passage", "data.inputs"));
  TokenBatch encoded, expected;
  for (const Json& row : rows.array()) {
    const Answer answer = answer_of(row);
    encoder.encode(answer, answer.references[0], encoded);
    const Json& reference = row.require("expected", kLerc).require("pair", kLerc);
    append_numbers(reference.require("ids", kLerc), expected.ids);
    append_numbers(reference.require("segments", kLerc), expected.segments);
  }
  EXPECT_EQ(encoded.ids, expected.ids);
  EXPECT_EQ(encoded.segments, expected.segments);
}

// "a" is one token: what is long is known exactly.
Answer answer_with(size_t passage_tokens, size_t candidate_tokens) {
  Answer answer;
  answer.id = "x7";
  answer.constituent = "drop";
  for (size_t i = 0; i < passage_tokens; ++i) answer.passage += "a ";
  for (size_t i = 0; i < candidate_tokens; ++i) answer.candidate += "a ";
  return answer;
}

TEST(AnswerEncoder, CutsThePassageToNothingAndThenTheCandidateToOneToken) {
  AnswerEncoder encoder(tokenizer(), template_of("pc"), "train.json");
  TokenBatch rows;
  encoder.encode(answer_with(10, 51), "", rows);  // [CLS] 10 [SEP] 51 [SEP] is 64
  EXPECT_EQ(encoder.truncated(), 0);
  encoder.encode(answer_with(11, 51), "", rows);
  encoder.encode(answer_with(1000, 61), "", rows);  // [CLS] [SEP] 61 [SEP]
  EXPECT_EQ(encoder.truncated(), 2);
  encoder.encode(answer_with(1000, 62), "", rows);
  encoder.encode(answer_with(0, 62), "", rows);
  EXPECT_EQ(encoder.truncated(), 4);
  for (int64_t row = 0; row < 5; ++row) EXPECT_EQ(rows.length(row), kMaxLength);
  EXPECT_EQ(std::ranges::count(rows.ids, tokenizer().sep_id()), 5 * 2);

  AnswerEncoder of_reference(tokenizer(), template_of("ac"), "train.json");
  std::string reference = "a";
  for (int i = 1; i < 60; ++i) reference += " a";
  of_reference.encode(answer_with(0, 9), reference, rows);  // [CLS] 60 [SEP] 1 [SEP]
  EXPECT_EQ(rows.length(5), kMaxLength);
  EXPECT_EQ(of_reference.truncated(), 1);
}

TEST(AnswerEncoder, CutsTheCandidateWhereItIsToldTo) {
  AnswerTemplate answer_template = template_of("pc");
  answer_template.cut = "candidate";
  AnswerEncoder encoder(tokenizer(), answer_template);
  TokenBatch rows;
  encoder.encode(answer_with(10, 1000), "", rows);
  EXPECT_EQ(rows.length(0), kMaxLength);
  EXPECT_EQ(rows.ids.back(), tokenizer().sep_id());
  EXPECT_EQ(std::ranges::count(rows.segments, 0), 12);  // [CLS] 10 [SEP], as they were
  EXPECT_EQ(encoder.truncated(), 1);
  encoder.encode(answer_with(62, 1), "", rows);  // [CLS] 60 [SEP] 1 [SEP]
  EXPECT_EQ(rows.length(1), kMaxLength);
  EXPECT_EQ(encoder.truncated(), 2);
}

// How many tokens of each field are in a row.
std::vector<int64_t> field_lengths(const TokenBatch& rows, int64_t row) {
  std::vector<int64_t> lengths = {-1};  // [CLS]
  for (int64_t i = rows.offsets[static_cast<size_t>(row)];
       i < rows.offsets[static_cast<size_t>(row) + 1]; ++i) {
    if (rows.ids[static_cast<size_t>(i)] == tokenizer().sep_id()) {
      lengths.push_back(0);
    } else {
      ++lengths.back();
    }
  }
  lengths.pop_back();
  return lengths;
}

TEST(AnswerEncoder, CutsTheLongestFieldFirstWhereAQuestionOrAReferenceAloneIsTooLong) {
  const auto words = [](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += "a ";
    return text;
  };
  struct Case {
    size_t passage, question, reference, candidate;
    const char* cut;
    std::vector<int64_t> lengths;
    bool fits = false;
  };
  // 64 tokens less [CLS] and four [SEP] are 59.
  for (const auto& [passage, question, reference, candidate, cut, lengths, fits] :
       {Case{5, 300, 4, 3, "passage", {0, 52, 4, 3}},
        {5, 4, 300, 3, "passage", {0, 4, 52, 3}},
        {0, 100, 200, 3, "passage", {0, 28, 28, 3}},
        {0, 100, 100, 100, "passage", {0, 19, 20, 20}},
        {1, 300, 4, 3, "candidate", {1, 51, 4, 3}},
        {300, 4, 59, 3, "candidate", {26, 4, 26, 3}},
        {300, 4, 51, 3, "passage", {1, 4, 51, 3}, true},
        {300, 4, 54, 3, "passage", {0, 4, 54, 1}, true}}) {
    AnswerTemplate answer_template = template_of("pqac");
    answer_template.cut = cut;
    AnswerEncoder encoder(tokenizer(), answer_template);
    Answer answer = answer_with(passage, candidate);
    answer.question = words(question);
    TokenBatch rows;
    encoder.encode(answer, words(reference), rows);
    EXPECT_EQ(rows.length(0), kMaxLength);
    EXPECT_EQ(field_lengths(rows, 0), lengths) << question << " " << reference;
    EXPECT_EQ(encoder.truncated(), 1);
    EXPECT_EQ(encoder.fits(encoder.fields_of(answer, words(reference))), fits)
        << question << " " << reference;
  }
  AnswerTemplate small = template_of("pqac");
  small.max_length = 8;
  small.cut = "candidate";
  AnswerEncoder encoder(tokenizer(), small, "train.json");
  Answer answer = answer_with(1, 1);
  answer.question = "a a";
  TokenBatch rows;
  EXPECT_EQ(input_error([&] { encoder.encode(answer, "a", rows); }),
            error_lines("cut to one token a field, the row needs 9 tokens, and the limit is 8",
                        "train.json: record drop/x7", "train with another data.max_length"));
  EXPECT_EQ(rows.rows(), 0);
}

TEST(AnswerEncoder, CutsTheCandidateWithoutAPassage) {
  AnswerEncoder encoder(tokenizer(), template_of("c"));
  TokenBatch rows;
  encoder.encode(answer_with(1000, 62), "", rows);
  EXPECT_EQ(rows.length(0), kMaxLength);
  EXPECT_EQ(encoder.truncated(), 0);
  encoder.encode(answer_with(1000, 63), "", rows);
  EXPECT_EQ(rows.length(1), kMaxLength);
  EXPECT_EQ(encoder.truncated(), 1);
}

TEST(TemplateOf, SimilarityIsOfReferenceAndCandidate) {
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{"candidate", "reference"}, {"reference"}}) {
    expect_contains(input_error([&] {
                      rubric::data::template_of("similarity", inputs, 512, "passage",
                                                "data.inputs");
                    }),
                    "give [reference, candidate]");
  }
}

TEST(TemplateOf, RefusesUnknownRepeatedAndNoInputs) {
  const auto error = [](const std::vector<std::string>& inputs) {
    return input_error(
        [&] { rubric::data::template_of("lerc", inputs, 512, "passage", "data.inputs"); });
  };
  EXPECT_EQ(error({"candidate", "passage"}), "accepted");
  EXPECT_EQ(error({}), error_lines("no input field is given", "data.inputs",
                                   "list some of passage, question, reference, candidate"));
  EXPECT_EQ(error({"passage", "context"}),
            error_lines("unknown input field \"context\"", "data.inputs",
                        "choose among passage, question, reference, candidate"));
  EXPECT_EQ(error({"question", "passage", "question"}),
            error_lines("the input field \"question\" is listed twice", "data.inputs",
                        "list each field once"));
}

}  // namespace rubric::data::answer_template_test
