// MetricX, UniEval and MiniCheck on the models of tests/fixtures/make_decoder_metrics.py, which
// runs the authors' code.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/text/ascii.h"
#include "messages.h"
#include "metrics/list.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/model_use.h"
#include "metrics/neural/recipes/kind.h"
#include "paths.h"

namespace rubric::metrics::decoder_test {

const Json& published() {
  static const Json json = Json::parse_file(fixture("decoder_metrics/expected.json"));
  return json;
}

// The fields of a dialogue stand in other places than those of a summary.
std::vector<data::Answer> rows(bool is_dialogue = false) {
  std::vector<data::Answer> answers;
  for (const Json& row : published().require("rows", "").array()) {
    data::Answer& answer = answers.emplace_back();
    answer.passage = row.require_string(is_dialogue ? "context" : "source", "");
    if (is_dialogue) answer.question = row.require_string("source", "");
    answer.candidate = row.require_string("candidate", "");
    answer.references = {row.require_string("reference", "")};
  }
  return answers;
}

std::unique_ptr<AnswerMetric> make(const char* name, const std::string& model,
                                   const Settings& settings = {}) {
  return make_answer_metric(require_metric(name),
                            {fixture("decoder_metrics/" + model).string(), settings});
}

// The shipped recipe with one line replaced.
std::unique_ptr<AnswerMetric> make_changed(const std::string& name, const std::string& model,
                                           const std::string& old, const std::string& replacement) {
  const TemporaryFolder folder;
  std::string text = read_file(fs::path(source_folder()) / "models/recipes" / (name + ".yaml"));
  EXPECT_EQ(text.find(old), text.rfind(old)) << old;
  text.replace(text.find(old), old.size(), replacement);
  text.replace(text.find("name: "), 6, "name: changed_");
  folder.write("recipe.yaml", text);
  return make("learned", model, {{kRecipeFile, folder.file("recipe.yaml")}});
}

void expect_values(AnswerMetric& metric, std::span<const data::Answer> answers,
                   const std::vector<double>& values, const std::string& what) {
  const data::Scores scores = metric.score(answers);
  ASSERT_EQ(scores.rows.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const double most = 1e-5 * std::max(1.0, std::abs(values[i]));
    EXPECT_NEAR(scores.rows[i][0], values[i], most) << what << " " << i;
    EXPECT_NEAR(metric.score(answers.subspan(i, 1)).rows[0][0], values[i], most)
        << what << " " << i << " by itself";
  }
}

std::vector<double> numbers(const Json& values) {
  std::vector<double> all;
  for (const Json& value : values.array()) all.push_back(value.number());
  return all;
}

// The tiny model has <extra_id_1> in the place of <extra_id_10>.
TEST(DecoderRecipes, MetricXEqualsItsAuthorsCode) {
  const std::tuple<const char*, const char*, const char*> kinds[] = {
      {"metricx23", "metricx23", "reference"},
      {"metricx23_qe", "metricx23", "qe"},
      {"metricx", "metricx24", "reference"},
      {"metricx_qe", "metricx24", "qe"}};
  for (const auto& [name, version, kind] : kinds) {
    const auto metric = make_changed(name, "mt5", "\"#250089\"", "<extra_id_1>");
    const Json& values = published().require(version, "").require(kind, "");
    expect_values(*metric, rows(), numbers(values), name);
  }
  expect_contains(input_error([] { make("metricx", "mt5"); }),
                  "reads the token \"#250089\", which is none of the model's");
}

TEST(DecoderRecipes, UniEvalEqualsItsAuthorsCode) {
  const std::tuple<const char*, const char*, const char*> kinds[] = {
      {"unieval_fact", "fact", "consistency"},
      {"unieval_summary_coherence", "summarization", "coherence"},
      {"unieval_summary_consistency", "summarization", "consistency"},
      {"unieval_summary_fluency", "summarization", "fluency"},
      {"unieval_summary_relevance", "summarization", "relevance"},
      {"unieval_dialogue_naturalness", "dialogue", "naturalness"},
      {"unieval_dialogue_coherence", "dialogue", "coherence"},
      {"unieval_dialogue_engagingness", "dialogue", "engagingness"},
      {"unieval_dialogue_groundedness", "dialogue", "groundedness"},
      {"unieval_dialogue_understandability", "dialogue", "understandability"}};
  for (const auto& [name, task, dimension] : kinds) {
    std::vector<double> values;
    for (const Json& row : published().require("unieval", "").require(task, "").array()) {
      values.push_back(row.require_number(dimension, ""));
    }
    expect_values(*make(name, "t5"), rows(std::string(task) == "dialogue"), values, name);
  }
}

TEST(DecoderRecipes, MiniCheckEqualsItsAuthorsCode) {
  const Json& sizes = published().require("minicheck", "");
  expect_values(*make("minicheck_t5", "t5"), rows(),
                numbers(sizes.require("500", "").require("scores", "")), "whole passages");
  expect_values(*make_changed("minicheck_t5", "t5", "words: 500", "words: 20"), rows(),
                numbers(sizes.require("20", "").require("scores", "")), "chunks");
}

TEST(DecoderRecipes, ModelsWithoutAnEncoderAreRefused) {
  expect_contains(input_error([] {
                    make_answer_metric(require_metric("unieval_fact"),
                                       {fixture("likelihood/gpt2").string(), Settings()});
                  }),
                  "reads the first step of a decoder behind an encoder");
}

}  // namespace rubric::metrics::decoder_test
