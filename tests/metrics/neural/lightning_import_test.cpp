// AlignScore's checkpoint of tests/fixtures/make_alignscore.py, imported: scores are its authors'.
// COMET's are in recipes/comet_test.cpp.
#include "metrics/neural/lightning_import.h"

#include <cstdlib>

#include "messages.h"
#include "metrics/list.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/model_use.h"
#include "metrics/neural/recipes/kind.h"
#include "paths.h"

namespace rubric::metrics::lightning_import_test {

TEST(LightningImport, AlignScoreEqualsItsAuthorsCode) {
  const TemporaryFolder folder;
  const fs::path encoder = folder.path() / "models/roberta-tiny";
  fs::create_directories(encoder);
  fs::copy(fixture("alignscore/config.json"), encoder);
  for (const char* file : {"vocab.json", "merges.txt", "tokenizer_config.json"}) {
    fs::copy(fixture("bertscore/roberta") / file, encoder);
  }
  setenv("RUBRIC_MODELS", folder.file("models").c_str(), 1);
  import_checkpoint({"alignscore", fixture("alignscore/alignscore.ckpt"), folder.path() / "out"});
  unsetenv("RUBRIC_MODELS");

  std::vector<data::Answer> answers;
  std::vector<double> expected;
  for (const Json& row : Json::parse_file(fixture("alignscore/expected.json")).array()) {
    data::Answer& answer = answers.emplace_back();
    answer.passage = row.require_string("passage", "");
    answer.candidate = row.require_string("candidate", "");
    expected.push_back(row.require_number("score", ""));
  }
  const auto metric =
      make_answer_metric(require_metric("alignscore"), {folder.file("out"), Settings()});
  const data::Scores scores = metric->score(answers);
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(scores.rows[i][0], expected[i], 1e-5) << i;
}

}  // namespace rubric::metrics::lightning_import_test
