#include "neural_metrics/lerc.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "models/fixture.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// The tiny LERC with a card that names the inputs.
fs::path model_with_inputs(const std::string& key, const std::string& inputs) {
  const fs::path directory =
      fs::path(testing::TempDir()) / ("lerc_" + key + std::to_string(getpid()));
  fs::remove_all(directory);
  fs::copy(fixture("lerc"), directory);
  write_file(directory / "rubric.yaml", "inputs: " + inputs + "\nmax_length: 64\n");
  return directory;
}

std::vector<Answer> fixture_answers(const Json& rows) {
  std::vector<Answer> answers;
  for (const Json& row : rows.array()) {
    Answer answer;
    answer.id = std::to_string(answers.size());
    answer.passage = row.require_string("passage", "");
    answer.question = row.require_string("question", "");
    answer.references = {row.require_string("reference", "")};
    answer.candidate = row.require_string("candidate", "");
    answers.push_back(answer);
  }
  return answers;
}

// tests/fixtures/make_lerc.py: Table 6's input lists.
TEST(Lerc, ScoresEqualTheReferenceForEveryInputList) {
  const Json rows = Json::parse_file(fixture("lerc/expected.json"));
  const std::vector<Answer> answers = fixture_answers(rows);
  const std::pair<const char*, const char*> lists[] = {
      {"pqac", "[passage, question, reference, candidate]"},
      {"qac", "[question, reference, candidate]"},
      {"ac", "[reference, candidate]"},
      {"a", "[reference]"},
      {"c", "[candidate]"}};
  for (const auto& [key, inputs] : lists) {
    const auto metric = make_lerc(model_with_inputs(key, inputs));
    const Scores scores = metric->score(answers);
    for (size_t i = 0; i < answers.size(); ++i) {
      const Json& expected = rows.array()[i].require("expected", "").require(key, "");
      EXPECT_NEAR(scores.rows[i][0], expected.require_number("score", ""), 1e-5)
          << key << " row " << i;
    }
  }
}

TEST(Lerc, TheBatchDoesNotMatter) {
  const std::vector<Answer> answers =
      fixture_answers(Json::parse_file(fixture("lerc/expected.json")));
  const Scores small = make_lerc(fixture("lerc"), {.max_tokens = 1})->score(answers);
  const Scores large = make_lerc(fixture("lerc"))->score(answers);
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_NEAR(small.rows[i][0], large.rows[i][0], 1e-5);
  }
}

TEST(Lerc, TakesTheBestOfSeveralReferences) {
  std::vector<Answer> answers = fixture_answers(Json::parse_file(fixture("lerc/expected.json")));
  Answer one = answers[0], other = answers[0], both = answers[0];
  other.references = {"something else entirely"};
  both.references = {one.references[0], other.references[0]};
  const auto metric = make_lerc(fixture("lerc"));
  const Scores scores = metric->score(std::vector<Answer>{one, other, both});
  EXPECT_NEAR(scores.rows[2][0], std::max(scores.rows[0][0], scores.rows[1][0]), 1e-6);
}

TEST(Lerc, TheSignatureCountsWhatWasCutOrMissing) {
  const std::vector<Answer> answers =
      fixture_answers(Json::parse_file(fixture("lerc/expected.json")));
  const auto metric = make_lerc(fixture("lerc"));
  metric->score(answers);
  const std::string signature = metric->signature();
  EXPECT_NE(signature.find("|inputs:p,q,r,c|max:64|trunc:5/20|"), std::string::npos) << signature;
  EXPECT_NE(signature.find("|missing:2/20|"), std::string::npos) << signature;
}

TEST(Lerc, AnEncoderAloneIsRefused) {
  EXPECT_THROW(make_lerc(RUBRIC_MINILM), InputError);
}

TEST(Lerc, ATokenizerLargerThanTheModelIsRefused) {
  const fs::path directory =
      fs::path(testing::TempDir()) / ("lerc_large_vocabulary" + std::to_string(getpid()));
  fs::remove_all(directory);
  fs::copy(fixture("lerc"), directory);
  std::ofstream(directory / "vocab.txt", std::ios::app) << "onemore\n";
  EXPECT_THROW(make_lerc(directory), InputError);
}

TEST(StartLerc, TheHeadDependsOnTheSeedAlone) {
  const LercModel a = start_lerc(RUBRIC_MINILM, 1), b = start_lerc(RUBRIC_MINILM, 1);
  EXPECT_TRUE(at::equal(a.score_layer.weight, b.score_layer.weight));
  EXPECT_FALSE(at::equal(a.score_layer.weight, start_lerc(RUBRIC_MINILM, 2).score_layer.weight));
  const double bound = 1 / std::sqrt(384.0);
  EXPECT_LE(a.score_layer.weight.abs().max().item<double>(), bound);
  EXPECT_GT(a.score_layer.weight.abs().max().item<double>(), 0.9 * bound);
}

}  // namespace
}  // namespace rubric
