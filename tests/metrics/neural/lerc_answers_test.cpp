// The model that is shipped, models/lerc-answers-small, as transformers and numpy compute it
// (tests/fixtures/make_lerc_answers.py).
#include <algorithm>
#include <cmath>

#include "core/hash.h"
#include "core/json/json.h"
#include "messages.h"
#include "metrics/neural/lerc.h"
#include "metrics/ngram/answer_features.h"
#include "models/fixture.h"
#include "paths.h"

namespace rubric::metrics {
namespace {

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
  struct Decision {
    std::string question, reference;
    std::vector<std::string> correct, incorrect;
  };
  const Decision cases[] = {
      {"when does the train leave?",
       "9:15 a.m.",
       {"9:15 AM", "9.15 am", "9:15", "9:15 in the morning"},
       {"9:15 p.m.", "It leaves at 9:15 p.m.", "21:15"}},
      {"what time is dinner?", "8:00 pm", {"20:00", "8 o'clock"}, {"8:00 am", "8 am"}},
      {"when does the train leave?", "10:30 pm", {"22:30"}, {"10:30 am"}},
      {"when does the train leave?", "21:15", {"9:15 pm"}, {"9:15 am"}},
      {"when does the train leave?", "10:30", {"10.30", "half past ten"}, {"11:30"}},
      {"when do they meet?", "noon", {"12:00 pm", "12 noon"}, {"midnight"}},
      {"what was the final score?", "3-1", {"3\u20131", "3 to 1"}, {"1-3", "It ended 1\u20133."}},
      {"what was the final score?", "21-14", {"21 - 14"}, {"14-21", "14 to 21"}},
      {"how many are on a team?", "between 3 and 5", {"3-5", "3 to 5"}, {"5 to 3"}},
      {"which blood type is it?", "O-", {"type O\u2212", "O negative"}, {"O+", "O"}},
      {"what is the blood type?", "A+", {"A positive"}, {"A-", "A"}},
      {"what grade did he get?", "A", {"an A"}, {"A+"}},
      {"which language is it written in?", "C", {"in C"}, {"C++", "C#"}},
      {"which language is it written in?", "C++", {"C plus plus"}, {"C"}},
      {"which note is it?", "F#", {"F sharp"}, {"F"}},
      {"which values are allowed?", ">5", {"more than 5"}, {"<5", "less than 5"}},
      {"how many may come?",
       "at most 5",
       {"no more than 5", "not over 5", "5 or fewer"},
       {"more than 5", "no fewer than 5"}},
      {"how many came?", "more than 5", {"over 5"}, {"no more than 5", "5 or less"}},
      {"when is it open?", "14:00-16:00", {"from 2 pm to 4 pm"}, {"from 2 am to 4 am"}},
      {"what is the address?", "10.0.0.1", {"It is 10.0.0.1."}, {"1.0.0.10"}},
      {"how many people came?", "15,000", {"15k", "about 15k people"}, {"15", "150k"}},
      {"how much did it cost?", "$1.5bn", {"$1.5 billion"}, {"$1.5m"}},
      {"how tall is he?", "6'2\"", {"6 ft 2 in", "six feet two inches"}, {"2'6\""}}};
  std::vector<data::Answer> answers;
  std::vector<double> signs;
  for (const Decision& each : cases) {
    for (const auto& [candidates, sign] :
         {std::pair(each.correct, 1.0), std::pair(each.incorrect, -1.0)}) {
      for (const std::string& candidate : candidates) {
        data::Answer& answer = answers.emplace_back();
        answer.id = std::to_string(signs.size());
        answer.question = each.question;
        answer.references = {each.reference};
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

}  // namespace
}  // namespace rubric::metrics
