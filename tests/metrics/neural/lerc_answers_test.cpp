// The model that is shipped, models/lerc-answers-small, as transformers and numpy compute it
// (tests/fixtures/make_lerc_answers.py).
#include <algorithm>
#include <cmath>

#include "cases.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "messages.h"
#include "metrics/neural/lerc.h"
#include "metrics/ngram/answer_features.h"
#include "models/fixture.h"
#include "paths.h"

namespace rubric::metrics::lerc_answers_test {

const std::filesystem::path& shipped_model() {
  static const std::filesystem::path folder =
      std::filesystem::path(source_folder()) / "models/lerc-answers-small";
  return folder;
}

const Json::Array& golden_rows() {
  static const Json golden = Json::parse_file(fixture("lerc_answers.json"));
  return golden.require_array("rows", "lerc_answers.json");
}

std::vector<data::Answer> golden_answers() {
  std::vector<data::Answer> answers;
  for (const Json& row : golden_rows()) {
    data::Answer answer;
    answer.id = std::to_string(answers.size());
    answer.question = row.require_string("question", "");
    for (const Json& reference : row.require_array("references", "")) {
      answer.references.push_back(reference.string());
    }
    answer.candidate = row.require_string("candidate", "");
    answers.push_back(std::move(answer));
  }
  return answers;
}

// Root of the mean square of the differences between the `values` and a figure of the rows.
double distance_to(const std::vector<double>& values, const char* figure) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double apart = values[i] - golden_rows()[i].require_number(figure, "");
    sum += apart * apart;
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

std::vector<double> first_column(const data::Scores& scores) {
  std::vector<double> values;
  for (const std::vector<double>& row : scores.rows) values.push_back(row[0]);
  return values;
}

// The other tests mean nothing with other weights.
TEST(LercAnswers, ItsFiguresAreOfTheseWeights) {
  const Json golden = Json::parse_file(fixture("lerc_answers.json"));
  EXPECT_EQ(sha256_file(shipped_model() / "model.safetensors"),
            golden.require_string("weights_sha256", ""))
      << "the model was trained again: run tests/fixtures/make_lerc_answers.py";
}

// Sums of words and their quotients: what differs is the rounding to float32.
TEST(LercAnswers, FeaturesEqualTheReference) {
  const std::vector<data::Answer> answers = golden_answers();
  const std::vector<std::string> names = names_of(kAnswerFeatures);
  const auto features = require_features(names, "");
  for (size_t i = 0; i < answers.size(); ++i) {
    std::vector<float> values;
    append_features(answers[i], features, values);
    const Json& expected = golden_rows()[i].require("features", "");
    ASSERT_EQ(expected.object().size(), names.size());
    for (size_t j = 0; j < names.size(); ++j) {
      EXPECT_NEAR(values[j], expected.require_number(names[j], ""), 2e-7)
          << names[j] << ", row " << i << ": " << answers[i].candidate;
    }
  }
}

// The stored weights of 8 bits are multiplied out when the model is loaded, in the reference by the
// same multiplications, and all that follows is float32 in both. What differs is the order in which
// they add.
TEST(LercAnswers, ScoresEqualTheReference) {
  const std::vector<data::Answer> answers = golden_answers();
  const data::Scores scores = make_lerc("lerc", shipped_model())->score(answers);
  ASSERT_EQ(scores.rows.size(), golden_rows().size());
  std::vector<size_t> cut;
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_NEAR(scores.rows[i][0], golden_rows()[i].require_number("score", ""), 1e-5)
        << "row " << i << ": " << answers[i].candidate;
    if (golden_rows()[i].require_boolean("cut", "")) cut.push_back(i);
  }
  EXPECT_EQ(scores.truncated, cut);
  EXPECT_EQ(cut.size(), 2);
}

// One value in two forms is correct, another value in a like form incorrect, each by half a point
// beyond the threshold of the card, 3.305.
TEST(LercAnswers, TimesOrdersAndSignsDecide) {
  std::vector<data::Answer> answers;
  std::vector<double> signs;
  using Texts = std::vector<std::string>;
  for (const auto& [question, reference, correct, incorrect] :
       cases<std::string, std::string, Texts, Texts>("metrics/neural/lerc_answers.json",
                                                     "decisions")) {
    for (const auto& [candidates, sign] : {std::pair(correct, 1.0), std::pair(incorrect, -1.0)}) {
      for (const std::string& candidate : candidates) {
        data::Answer& answer = answers.emplace_back();
        answer.id = std::to_string(signs.size());
        answer.question = question;
        answer.references = {reference};
        answer.candidate = candidate;
        signs.push_back(sign);
      }
    }
  }
  const data::Scores scores = make_lerc("lerc", shipped_model())->score(answers);
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_GT(signs[i] * (scores.rows[i][0] - 3.305), 0.5)
        << answers[i].references[0] << ", " << answers[i].candidate << ": " << scores.rows[i][0];
  }
}

// SQuAD 2.0: the reference "" says that the question has no answer.
TEST(LercAnswers, ARefusalOfAnUnanswerableQuestionScoresAsTheEmptyText) {
  std::vector<data::Answer> answers(4);
  const char* const candidates[] = {"", "I don't know.", "The passage does not say.", "in 1990"};
  for (size_t i = 0; i < answers.size(); ++i) {
    answers[i].id = std::to_string(i);
    answers[i].question = "When did the bridge open?";
    answers[i].references = {""};
    answers[i].candidate = candidates[i];
  }
  const data::Scores scores = make_lerc("lerc", shipped_model())->score(answers);
  EXPECT_GT(scores.rows[0][0], 3.305);
  EXPECT_EQ(scores.rows[1], scores.rows[0]);
  EXPECT_EQ(scores.rows[2], scores.rows[0]);
  EXPECT_LT(scores.rows[3][0], 3.305);
  // So do its words.
  for (data::Answer& answer : answers) answer.references = {"unanswerable"};
  answers[0].candidate = "unanswerable";
  const data::Scores of_words = make_lerc("lerc", shipped_model())->score(answers);
  EXPECT_GT(of_words.rows[0][0], 3.305);
  EXPECT_EQ(of_words.rows[1], of_words.rows[0]);
  EXPECT_EQ(of_words.rows[2], of_words.rows[0]);
  EXPECT_LT(of_words.rows[3][0], 3.305);
  // And words that are no refusal as a candidate.
  for (data::Answer& answer : answers) answer.references = {"unknown"};
  answers[0].candidate = "unknown";
  const data::Scores of_unknown = make_lerc("lerc", shipped_model())->score(answers);
  EXPECT_GT(of_unknown.rows[0][0], 3.305);
  EXPECT_EQ(of_unknown.rows[1], of_unknown.rows[0]);
  EXPECT_EQ(of_unknown.rows[2], of_unknown.rows[0]);
  EXPECT_LT(of_unknown.rows[3][0], 3.305);
}

// It is scored as the reference, whose words the candidate does not have.
TEST(LercAnswers, NoWordsExplainARefusalOfAnUnanswerableQuestion) {
  std::vector<data::Answer> answers(3);
  const char* const candidates[] = {"I don't know.", "in 1990", "unanswerable"};
  for (size_t i = 0; i < answers.size(); ++i) {
    answers[i].id = std::to_string(i);
    answers[i].question = "When did the bridge open?";
    answers[i].references = {"no answer given"};
    answers[i].candidate = candidates[i];
  }
  const auto metric = make_lerc("lerc", shipped_model(), {.explain = true});
  metric->score(answers);
  for (const auto& [row, words] : std::vector<std::pair<size_t, size_t>>{{0, 0}, {1, 2}, {2, 0}}) {
    const Json explained = metric->fields(row).at(0);
    EXPECT_EQ(explained.require_array("words", "").size(), words) << explained.dump();
  }
}

// With --int8 the products are of whole numbers. The weights are the stored ones, without another
// error; what each linear layer reads is rounded to 1/63 of a token's largest number. The reference
// rounds the same way, but a sum that differs in its last bit is now and then rounded to the other
// neighbour, and behind six layers the two have rounding errors that differ: as far from the
// float32 scores, not equal to each other. So the size of the error is compared, not each score.
TEST(LercAnswers, RoundedInputsMoveScoresAsFarAsInTheReference) {
  const std::vector<data::Answer> answers = golden_answers();
  const auto metric = make_lerc("lerc", shipped_model(), {.int8 = true});
  const std::vector<double> scores = first_column(metric->score(answers));
  std::vector<double> rounded;
  for (const Json& row : golden_rows()) rounded.push_back(row.require_number("rounded", ""));
  const double expected = distance_to(rounded, "score"), found = distance_to(scores, "score");
  EXPECT_LT(found, 1.5 * expected);
  EXPECT_GT(found, 0.5 * expected);
  EXPECT_LT(distance_to(scores, "rounded"), 1.5 * expected);
  RecordProperty("rounding", std::to_string(expected));
}

}  // namespace rubric::metrics::lerc_answers_test
