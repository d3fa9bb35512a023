#include "metrics/neural/lerc.h"

#include <limits>

#include "data/tokens/tokenized_answers.h"
#include "messages.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/lerc_model.h"
#include "models/weights/weights.h"
#include "stats/correlation.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::metrics::lerc_test {

const Json& fixture_rows() {
  static const Json rows = Json::parse_file(fixture("lerc/expected.json"));
  return rows;
}

// Those that tests/fixtures/make_lerc.py wrote under `key`.
void expect_scores(const data::Scores& scores, const Json& rows, const std::string& key) {
  for (size_t i = 0; i < rows.array().size(); ++i) {
    const Json& expected = rows.array()[i].require("expected", "").require(key, "");
    EXPECT_NEAR(scores.rows.at(i)[0], expected.require_number("score", ""), 1e-5)
        << key << " row " << i;
  }
}

// Table 6's input lists.
TEST(Lerc, ScoresEqualTheReferenceForEveryInputList) {
  const TemporaryFolder folder;
  const std::vector<data::Answer> answers = answers_of(fixture_rows());
  const std::pair<const char*, const char*> lists[] = {
      {"pqac", "[passage, question, reference, candidate]"},
      {"qac", "[question, reference, candidate]"},
      {"ac", "[reference, candidate]"},
      {"a", "[reference]"},
      {"c", "[candidate]"}};
  for (const auto& [key, inputs] : lists) {
    const auto metric =
        make_lerc("lerc", changed_lerc(folder, "rubric.yaml",
                                       std::string("inputs: ") + inputs + "\nmax_length: 64\n"));
    expect_scores(metric->score(answers), fixture_rows(), key);
  }
}

// tests/fixtures/make_lerc.py: transformers' own pair of two texts.
TEST(Similarity, ScoresEqualTheReference) {
  const TemporaryFolder folder;
  const std::vector<data::Answer> answers = answers_of(fixture_rows());
  const auto metric = make_lerc(
      "similarity",
      changed_lerc(folder, "rubric.yaml", "task: similarity\ninputs: [reference, candidate]\n"));
  const data::Scores scores = metric->score(answers);
  EXPECT_EQ(scores.names, std::vector<std::string>{"similarity"});
  expect_says(metric->signature(), {"similarity|model:", "|inputs:r,c|"});
  expect_scores(scores, fixture_rows(), "pair");
}

TEST(Lerc, TheSignatureTellsModelsOfTheSameWeightsApart) {
  const TemporaryFolder folder;
  const std::filesystem::path directory = changed_lerc(folder, "rubric.yaml", "");
  const auto signature_with = [&](const char* file, const char* before, const char* after) {
    std::string text = read_file(directory / file);
    const size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    write_file(directory / file, text.replace(at, std::string_view(before).size(), after));
    return make_lerc("lerc", directory)->signature();
  };
  const std::string first = make_lerc("lerc", directory)->signature();
  EXPECT_EQ(
      signature_with("config.json", "\"hidden_dropout_prob\": 0.0", "\"hidden_dropout_prob\": 0.1"),
      first);
  const std::string heads =
      signature_with("config.json", "\"num_attention_heads\": 2", "\"num_attention_heads\": 4");
  EXPECT_NE(heads, first);
  EXPECT_NE(signature_with("tokenizer_config.json", "\"do_lower_case\": true",
                           "\"do_lower_case\": false"),
            heads);
  const std::string cut =
      make_lerc("lerc", changed_lerc(folder, "rubric.yaml", "cut: candidate\n"))->signature();
  expect_contains(cut, "|cut:candidate|");
}

// Each of many references scored alone, the farthest from the candidate last, and then together.
TEST(Lerc, ReadsTheNearestReferencesAndNoOther) {
  const auto metric = make_lerc("lerc", fixture("lerc"));
  data::Answer answer = answers_of(fixture_rows())[0];
  answer.passage = "rain";
  answer.candidate = "one two three four five six seven eight nine";
  std::vector<data::Answer> alone;
  std::string reference = "two lemons";
  for (const std::string word :
       {"nine", "eight", "seven", "six", "five", "four", "three", "one", "two"}) {
    alone.push_back(answer);
    alone.back().references = {reference};
    reference = word + " " + reference;  // more of it is in the candidate
  }
  const data::Scores each = metric->score(alone);
  data::Answer all = answer;
  all.references.clear();
  for (const data::Answer& one : alone) all.references.push_back(one.references[0]);
  double best = -1e9;
  for (size_t i = 1; i < alone.size(); ++i)
    best = std::max(best, each.rows[i][0]);  // but the first
  EXPECT_NEAR(metric->score(std::vector{all}).rows[0][0], best, 1e-5);
  expect_contains(metric->signature(), "|trunc:0/8|");
}

// Rounded weights change a score a little, and a text is not rounded by its neighbours.
TEST(Lerc, WeightsOfEightBitsScoreNearTheReference) {
  const std::vector<data::Answer> answers = answers_of(fixture_rows());
  const auto metric = make_lerc("lerc", fixture("lerc"), {.int8 = true});
  const data::Scores scores = metric->score(answers);
  expect_contains(metric->signature(), "|weights:int8|");
  const data::Scores one_by_one =
      make_lerc("lerc", fixture("lerc"), {.max_tokens = 1, .int8 = true})->score(answers);
  std::vector<double> got, exact;
  for (size_t i = 0; i < answers.size(); ++i) {
    const Json& expected = fixture_rows().array()[i].require("expected", "").require("pqac", "");
    got.push_back(scores.rows[i][0]);
    exact.push_back(expected.require_number("score", ""));
    EXPECT_NEAR(one_by_one.rows[i][0], got.back(), 1e-5) << "row " << i;
  }
  EXPECT_GT(stats::pearson(got, exact).value(),
            0.95);  // random weights, 16 numbers a token: a trained model loses less
  EXPECT_NE(scores.rows, make_lerc("lerc", fixture("lerc"))->score(answers).rows);
}

TEST(Lerc, ScoresOfOtherEncodersEqualTheReference) {
  for (const std::string name : {"lerc_roberta", "lerc_mpnet", "deberta/lerc"}) {
    SCOPED_TRACE(name);
    const Json rows = Json::parse_file(fixture(name + "/expected.json"));
    expect_scores(make_lerc("lerc", fixture(name))->score(answers_of(rows)), rows, "pqac");
  }
}

TEST(Similarity, ModelsOfOtherTasksAreRefused) {
  const TemporaryFolder folder;
  const auto directory =
      changed_lerc(folder, "rubric.yaml", "task: similarity\ninputs: [reference, candidate]\n");
  EXPECT_EQ(
      input_error([&] { make_lerc("lerc", directory); }),
      error_lines("the model was trained for similarity, not for lerc",
                  (directory / "rubric.yaml").string(), "name a model that was trained for lerc"));
  // Without a rubric.yaml it is a LERC, as the published one.
  expect_contains(input_error([] { make_lerc("similarity", fixture("lerc")); }),
                  "there is no sign that the model was trained for similarity");
}

TEST(Lerc, TheBatchDoesNotMatter) {
  const std::vector<data::Answer> answers = answers_of(fixture_rows());
  const data::Scores small = make_lerc("lerc", fixture("lerc"), {.max_tokens = 1})->score(answers);
  const data::Scores large = make_lerc("lerc", fixture("lerc"))->score(answers);
  for (size_t i = 0; i < answers.size(); ++i) EXPECT_NEAR(small.rows[i][0], large.rows[i][0], 1e-5);
}

TEST(Lerc, TakesTheBestOfSeveralReferences) {
  const data::Answer one = answers_of(fixture_rows())[0];
  data::Answer other = one, both = one;
  other.references = {"something else entirely"};
  both.references = {one.references[0], other.references[0]};
  const auto metric = make_lerc("lerc", fixture("lerc"));
  const data::Scores scores = metric->score(std::vector<data::Answer>{one, other, both});
  EXPECT_NEAR(scores.rows[2][0], std::max(scores.rows[0][0], scores.rows[1][0]), 1e-6);
}

// One reference that is too long ends nothing: it is left out, or cut where it is the only one.
TEST(Lerc, AReferenceThatIsTooLongIsLeftOutWhereAnotherFits) {
  const TemporaryFolder folder;
  const auto metric = make_lerc(
      "lerc",
      changed_lerc(folder, "rubric.yaml", "inputs: [reference, candidate]\nmax_length: 16\n"));
  std::string words;
  for (int i = 0; i < 20; ++i) words += "rain ";
  data::Answer both;
  both.id = "the first";
  both.references = {words, "the rain"};
  both.candidate = "rain";
  data::Answer one = both, longest = both;
  one.references = {"the rain"};
  longest.references = {words};
  testing::internal::CaptureStderr();
  const data::Scores scores = metric->score(std::vector{both, one, longest});
  expect_contains(testing::internal::GetCapturedStderr(),
                  "1 reference is too long for the model and left out, as the row has another that "
                  "fits: records \"the first\"");
  EXPECT_NEAR(scores.rows[0][0], scores.rows[1][0], 1e-5);
  EXPECT_EQ(scores.truncated, (std::vector<size_t>{0, 2}));
  expect_contains(metric->signature(), "|trunc:1/3|left_out:1|");
}

TEST(Lerc, ScoresThatAreNotFiniteAreNotGiven) {
  const TemporaryFolder folder;
  const std::filesystem::path directory = changed_lerc(folder, "config.json", "");
  models::NamedTensors weights = models::read_safetensors(directory / "model.safetensors");
  for (auto& [name, tensor] : weights) {
    if (name == "score_layer.bias") tensor.fill_(std::numeric_limits<float>::infinity());
  }
  models::write_safetensors(directory / "model.safetensors", weights);
  const auto metric = make_lerc("lerc", directory);
  std::vector<data::Answer> answers = answers_of(fixture_rows());
  answers[0].id = "the first";
  try {
    metric->score(answers);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(dynamic_cast<const InputError*>(&error), nullptr);  // the model's fault: exit code 1
    expect_contains(error.what(), "the model predicts inf\n  where: record the first\n");
  }
}

TEST(PredictScores, TellsOfEveryBatch) {
  const text::WordPiece tokenizer = text::WordPiece::from_directory(fixture("lerc"));
  data::AnswerEncoder encoder(tokenizer, {{"reference", "candidate"}, 64});
  data::TokenBatch rows;
  for (const data::Answer& answer : answers_of(fixture_rows())) {
    encoder.encode(answer, answer.references[0], rows);
  }
  const LercModel model = load_lerc(fixture("lerc"));
  const auto told = [&](int64_t max_tokens) {
    std::vector<int64_t> batches;
    predict_scores(model, rows, max_tokens, [&](int64_t count) { batches.push_back(count); });
    return batches;
  };
  EXPECT_EQ(told(1), std::vector<int64_t>(20, 1));
  EXPECT_EQ(told(1 << 20), std::vector<int64_t>{20});
}

TEST(Lerc, TheSignatureCountsWhatWasCutOrMissing) {
  const std::vector<data::Answer> answers = answers_of(fixture_rows());
  const auto metric = make_lerc("lerc", fixture("lerc"));
  metric->score(answers);
  EXPECT_EQ(metric->score(answers).truncated.size(), 5U);  // the counts are of the last call
  const std::string signature = metric->signature();
  EXPECT_NE(signature.find("|inputs:p,q,r,c|max:64|trunc:5/20|"), std::string::npos) << signature;
  EXPECT_NE(signature.find("|missing:2/20|"), std::string::npos) << signature;
}

// The threshold is the score of a row, which is right, too.
TEST(Lerc, RightIsWhatReachesTheThreshold) {
  const TemporaryFolder folder;
  const std::vector<data::Answer> answers = answers_of(fixture_rows());
  const data::Scores scores = make_lerc("lerc", fixture("lerc"))->score(answers);
  const double threshold = scores.rows[7][0];
  const auto directory =
      changed_lerc(folder, "rubric.yaml", "threshold: " + Json(threshold).dump() + "\n");
  const auto metric = make_lerc("lerc", directory, {.verdict = true});
  EXPECT_EQ(metric->field_names(), std::vector<std::string>{"verdict"});
  EXPECT_EQ(metric->score(answers).rows, scores.rows);
  int64_t right = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const bool is_right = scores.rows[i][0] >= threshold;
    right += is_right ? 1 : 0;
    EXPECT_EQ(metric->fields(i).at(0).string(), is_right ? "right" : "wrong") << i;
  }
  EXPECT_EQ(metric->fields(7).at(0).string(), "right");
  EXPECT_GT(right, 1);
  EXPECT_LT(right, 20);
  EXPECT_EQ(metric->right(), right);
  expect_contains(metric->signature(), "|threshold:" + Json(threshold).dump() + "|rubric:");

  const auto plain = make_lerc("lerc", directory);
  plain->score(answers);
  EXPECT_EQ(plain->right(), std::nullopt);
  EXPECT_TRUE(plain->field_names().empty());
  EXPECT_FALSE(holds(plain->signature(), "threshold"));
}

TEST(Lerc, VerdictsNeedAThreshold) {
  EXPECT_EQ(input_error([] { make_lerc("lerc", fixture("lerc"), {.verdict = true}); }),
            error_lines("the model has no threshold from which on an answer counts as correct",
                        (fixture("lerc") / "rubric.yaml").string(),
                        "train it again, or write `threshold: X` into this file"));
}

TEST(Lerc, WarnsOfRowsWithoutAnInputThatItReads) {
  const TemporaryFolder folder;
  std::vector<data::Answer> answers = answers_of(fixture_rows());
  answers.resize(3);
  for (data::Answer& answer : answers) answer.passage = answer.question = "text";
  answers[0].passage = answers[0].question = answers[1].question = "";
  const auto said = [&](const std::filesystem::path& directory) {
    return stderr_of([&] { make_lerc("lerc", directory)->score(answers); });
  };
  EXPECT_EQ(said(fixture("lerc")),
            "warning: 1 of 3 rows has no passage, which the model reads\n"
            "warning: 2 of 3 rows have no question, which the model reads\n");
  EXPECT_EQ(
      said(changed_lerc(folder, "rubric.yaml", "inputs: [reference, candidate]\nmax_length: 64\n")),
      "");
}

}  // namespace rubric::metrics::lerc_test
