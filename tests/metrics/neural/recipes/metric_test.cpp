#include "metrics/neural/recipes/metric.h"

#include <cmath>
#include <set>
#include <utility>

#include "messages.h"
#include "metrics/list.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/recipe.h"
#include "models/weights/weights.h"

namespace rubric::metrics::recipe_test {

const Json& expected() {
  static const Json json = Json::parse_file(fixture("recipes/expected.json"));
  return json;
}

// A fixture's encoder with the head `name` of tests/fixtures/make_recipes.py.
std::string model_with_head(const TemporaryFolder& folder, const std::string& name,
                            const std::string& encoder, const Json& settings) {
  const fs::path directory = folder.path() / name;
  fs::remove_all(directory);
  fs::copy(fixture(encoder), directory);
  Json config = Json::parse_file(directory / "config.json");
  for (const auto& [key, value] : settings.object()) config[key] = value;
  write_file(directory / "config.json", config.dump());
  models::NamedTensors tensors = models::read_safetensors(directory / "model.safetensors");
  for (auto& [key, tensor] : models::read_safetensors(fixture("recipes/heads.safetensors"))) {
    if (!key.starts_with(name + "|")) continue;
    const std::string published = key.substr(name.size() + 1);
    std::erase_if(tensors, [&](const auto& other) { return other.first == published; });
    tensors.emplace_back(published, tensor);
  }
  models::write_safetensors(directory / "model.safetensors", tensors);
  return directory.string();
}

std::string model_with_head(const TemporaryFolder& folder, const Json& model) {
  return model_with_head(folder, model.require_string("name", ""),
                         model.require_string("folder", ""), model.require("config", ""));
}

// The pairs of texts as passage and candidate, or as reference and candidate.
std::vector<data::Answer> pairs(std::string data::Answer::*first) {
  std::vector<data::Answer> answers;
  for (const Json& pair : expected().require("pairs", "").array()) {
    data::Answer answer;
    answer.id = std::to_string(answers.size());
    answer.*first = pair.array()[0].string();
    answer.candidate = pair.array()[1].string();
    answers.push_back(answer);
  }
  return answers;
}

std::unique_ptr<AnswerMetric> make(const char* name, const std::string& model,
                                   const Settings& settings = {}) {
  return make_answer_metric(require_metric(name), {model, settings});
}

void expect_rows(const data::Scores& scores, const Json& rows, const std::string& what) {
  ASSERT_EQ(scores.rows.size(), rows.array().size());
  for (size_t i = 0; i < scores.rows.size(); ++i) {
    EXPECT_NEAR(scores.rows[i][0], rows.array()[i].number(), 1e-5) << what << " " << i;
  }
}

TEST(Recipes, ProbabilitiesOfAClassEqualTransformersForEveryArchitecture) {
  const TemporaryFolder folder;
  const std::vector<data::Answer> answers = pairs(&data::Answer::passage);
  std::set<std::string> kinds;
  for (const Json& model : expected().require("nli", "").array()) {
    const std::string name = model.require_string("name", "");
    const auto metric = make("nli", model_with_head(folder, model));
    const data::Scores scores = metric->score(answers);
    EXPECT_EQ(scores.names, std::vector<std::string>{"nli"});
    expect_rows(scores, model.require("scores", ""), name);
    for (size_t i = 0; i < answers.size(); i += 5) {
      EXPECT_NEAR(metric->score(std::span(answers).subspan(i, 1)).rows[0][0], scores.rows[i][0],
                  1e-5)
          << name << " " << i << " by itself";
    }
    kinds.insert(name);
  }
  EXPECT_EQ(kinds.size(), 10u);
}

TEST(Recipes, SimilaritiesEqualSentenceTransformers) {
  std::vector<data::Answer> answers;
  for (const Json& pair : expected().require("pairs", "").array()) {
    data::Answer& answer = answers.emplace_back();
    answer.references = {pair.array()[0].string()};
    answer.candidate = pair.array()[1].string();
  }
  const auto metric = make("sentence_similarity", minilm_folder());
  expect_rows(metric->score(answers), expected().require("similarities", ""), "pair");
  expect_contains(metric->signature(), "|max:256|");
}

// A whole model as bleurt-pytorch saves it, with embeddings narrower than its layers.
TEST(Recipes, BleurtEqualsItsPyTorchPort) {
  std::vector<data::Answer> answers;
  for (const data::Answer& pair : pairs(&data::Answer::passage)) {
    data::Answer& answer = answers.emplace_back();
    answer.references = {pair.passage};
    answer.candidate = pair.candidate;
  }
  expect_rows(make("bleurt", fixture("recipes/bleurt").string())->score(answers),
              expected().require("bleurt", ""), "pair");
}

// Answers with the texts of each row of a list as these members.
std::vector<data::Answer> answers_with(const Json& rows,
                                       const std::vector<std::string data::Answer::*>& members) {
  std::vector<data::Answer> answers;
  for (const Json& row : rows.array()) {
    data::Answer& answer = answers.emplace_back();
    for (size_t i = 0; i < members.size(); ++i) answer.*members[i] = row.array()[i].string();
  }
  return answers;
}

// Units are the same there: sentences end behind punctuation alone.
TEST(Recipes, ScoresOverSentencesAndChunksEqualTheAuthorsCode) {
  const TemporaryFolder folder;
  for (const char* const name : {"alignscore", "minicheck"}) {
    const Json& model = expected().require(name, "");
    const Json* const pairs = model.find("pairs");
    const std::vector<data::Answer> answers =
        answers_with(pairs != nullptr ? *pairs : expected().require("long", ""),
                     {&data::Answer::passage, &data::Answer::candidate});
    expect_rows(make(name, model_with_head(folder, model))->score(answers),
                model.require("scores", ""), name);
  }
}

TEST(Recipes, EquivalenceReadsCandidateReferenceAndQuestion) {
  const TemporaryFolder folder;
  const Json& model = expected().require("answer_equivalence", "");
  const std::string directory = model_with_head(folder, model);
  std::vector<data::Answer> answers =
      answers_with(model.require("rows", ""),
                   {&data::Answer::question, &data::Answer::passage, &data::Answer::candidate});
  for (data::Answer& answer : answers) answer.references = {std::exchange(answer.passage, "")};
  const auto metric = make("answer_equivalence", directory, {{kVerdict, ""}});
  const data::Scores scores = metric->score(answers);
  expect_rows(scores, model.require("scores", ""), "row");
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(metric->fields(i).at(0).string(), scores.rows[i][0] >= 0.5 ? "right" : "wrong");
  }
  // The best reference counts, and a row must have one.
  answers[0].references.push_back(answers[1].references[0]);
  data::Answer second = answers[0];
  second.references = {answers[1].references[0]};
  const double of_first = scores.rows[0][0], of_second = metric->score({&second, 1}).rows[0][0];
  EXPECT_NE(of_first, of_second);
  EXPECT_NEAR(metric->score(answers).rows[0][0], std::max(of_first, of_second), 1e-6);
  const fs::path lower = folder.write("lower.yaml",
                                      "name: lower\ninputs: [\"{reference}\", \"{candidate}\"]\n"
                                      "direction: lower\nthreshold: 0\n");
  const auto lowest = make("learned", directory, {{kRecipeFile, lower.string()}, {kVerdict, ""}});
  const auto score_of = [&](const std::vector<std::string>& references) {
    second.references = references;
    return lowest->score({&second, 1}).rows[0][0];
  };
  const auto& both = answers[0].references;
  const double least = std::min(score_of({both[0]}), score_of({both[1]}));
  EXPECT_NEAR(score_of(both), least, 1e-6);
  EXPECT_EQ(lowest->fields(0).at(0).string(), least <= 0 ? "right" : "wrong");
  expect_contains(lowest->signature(), "|better:lower");
  answers[1].references.clear();
  expect_contains(input_error([&] { metric->score(answers); }), "no reference");
}

// The best of chunks would hide it. Rows of more than 20 tokens have no number.
TEST(Recipes, AChunkWithoutANumberIsAnError) {
  const TemporaryFolder folder;
  const std::string model = model_with_head(folder, expected().require("minicheck", ""));
  models::NamedTensors tensors = models::read_safetensors(model + "/model.safetensors");
  for (auto& [name, tensor] : tensors) {
    if (name.ends_with("position_embeddings.weight")) tensor.slice(0, 22).fill_(NAN);
  }
  models::write_safetensors(model + "/model.safetensors", tensors);
  const std::string recipe = folder
                                 .write("chunked.yaml",
                                        "name: chunked\noutput: \"1\"\nmap: softmax\n"
                                        "inputs: [\"{passage}\", \"{candidate}\"]\n"
                                        "chunks: {field: passage, words: 3}\n")
                                 .string();
  const auto metric = make("learned", model, {{kRecipeFile, recipe}});
  data::Answer answer;
  answer.candidate = "Tom";
  answer.passage = "Tom.";
  EXPECT_TRUE(std::isfinite(metric->score({&answer, 1}).rows[0][0]));
  answer.passage +=
      " Maria walked to the market in the morning because her grandmother needed "
      "fresh bread and two lemons.";
  EXPECT_THROW(metric->score({&answer, 1}), Error);
}

TEST(Recipes, WhatDoesNotFitIsNamed) {
  const TemporaryFolder folder;
  const Json& model = expected().require("nli", "").array()[0];
  const std::string directory = model_with_head(folder, model);
  const fs::path own =
      folder.write("own.yaml", "name: own\ninputs: [\"{candidate}\"]\noutput: yes!\n");
  const auto error = [&](const char* name, const std::string& at, const Settings& settings = {}) {
    return input_error([&] { make(name, at, settings); });
  };
  expect_says(error("learned", directory, {{kRecipeFile, own.string()}}),
              {"the output yes!", "3 outputs", "ENTAILMENT"});
  expect_contains(error("learned", directory), "--recipe");
  const auto with = [&](const std::string& lines) {
    const fs::path file = folder.write("bad.yaml", lines);
    return error("learned", fixture("recipes/bleurt").string(), {{kRecipeFile, file.string()}});
  };
  const std::string inputs = "inputs: [\"{reference}\", \"{candidate}\"]\n";
  expect_contains(with("name: f1\n" + inputs), "is that of another metric");
  expect_contains(with("name: own\nmap: softmax\n" + inputs), "softmax of one");
  expect_contains(with("name: own\noutputs: 2\n" + inputs), "2 outputs");
  expect_contains(error("nli", fixture("lerc").string()), "has no pooler.dense.weight");
  expect_contains(error("sentence_similarity", minilm_folder(), {{kVerdict, ""}}), "threshold");
}

}  // namespace rubric::metrics::recipe_test
