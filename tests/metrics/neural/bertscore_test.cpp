#include "metrics/neural/bertscore.h"

#include <set>
#include <tuple>

#include <ATen/Parallel.h>

#include "messages.h"
#include "metrics/neural/fixture_answers.h"
#include "models/fixture.h"
#include "paths.h"

namespace rubric::metrics::bertscore_test {

namespace fs = std::filesystem;

// The pairs of tests/fixtures/make_bertscore.py.
std::vector<data::Answer> fixture_pairs(const Json& expected) {
  std::vector<data::Answer> answers;
  for (const Json& pair : expected.require("pairs", "").array()) {
    data::Answer answer;
    answer.id = std::to_string(answers.size());
    for (const Json& text : pair.require("reference", "").array()) {
      answer.references.push_back(text.string());
    }
    answer.candidate = pair.require_string("candidate", "");
    answers.push_back(answer);
  }
  return answers;
}

struct Case {
  const char* file;
  std::string model;
};

class BertScoreParity : public testing::TestWithParam<Case> {};

TEST_P(BertScoreParity, EqualsThePackage) {
  if (!fs::exists(GetParam().model)) GTEST_SKIP() << "scripts/setup --mpnet has not been run";
  const Json expected = Json::parse_file(fixture("bertscore") / GetParam().file);
  const std::vector<data::Answer> answers = fixture_pairs(expected);
  for (const Json& result : expected.require("results", "").array()) {
    BertScoreOptions options;
    options.layer = result.require_integer("layer", "");
    options.idf = result.require("idf", "").boolean();
    if (result.require("rescale", "").boolean()) {
      options.baseline = fixture("bertscore/baseline.tsv");
    }
    SCOPED_TRACE("layer " + std::to_string(*options.layer) + (options.idf ? ", idf" : "") +
                 (options.baseline.empty() ? "" : ", rescaled"));
    const data::Scores scores = make_bertscore(GetParam().model, options)->score(answers);
    ASSERT_EQ(scores.names, (std::vector<std::string>{"bertscore", "bertscore_p", "bertscore_r"}));
    const Json::Array& rows = result.require("rows", "").array();
    ASSERT_EQ(scores.rows.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const size_t columns[] = {2, 0, 1};  // P, R, F there
      for (size_t column = 0; column < 3; ++column) {
        const Json& figure = rows[i].array()[columns[column]];
        if (figure.is_null()) continue;  // undefined, and 0 here: another test
        EXPECT_NEAR(scores.rows[i][column], figure.number(), 1e-5)
            << scores.names[column] << " of pair " << i << ": " << answers[i].candidate;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, BertScoreParity,
    testing::Values(Case{"roberta.json", std::string(fixtures_folder()) + "/bertscore/roberta"},
                    Case{"deberta_bpe.json", std::string(fixtures_folder()) + "/deberta/bpe"},
                    Case{"deberta_spm.json", std::string(fixtures_folder()) + "/deberta/spm"},
                    Case{"minilm.json", minilm_folder()}, Case{"mpnet_base.json", mpnet_folder()}),
    [](const auto& test) { return std::filesystem::path(test.param.file).stem().string(); });

struct BertScore : testing::Test {
  data::Scores score(const std::vector<data::Answer>& answers, BertScoreOptions options = {}) {
    if (!options.layer) options.layer = 2;
    const auto metric = make_bertscore(model_, options);
    testing::internal::CaptureStderr();
    data::Scores scores = metric->score(answers);
    said_ = testing::internal::GetCapturedStderr();
    signature_ = metric->signature();
    return scores;
  }

  // The tiny RoBERTa with one of its files changed.
  std::string changed(const std::string& file, const std::string& before,
                      const std::string& after) const {
    const fs::path directory = folder_.path() / "changed";
    fs::remove_all(directory);
    fs::copy(model_, directory);
    std::string text = read_file(directory / file);
    const size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    write_file(directory / file, text.replace(at, before.size(), after));
    return directory;
  }

  const std::string model_ = fixture("bertscore/roberta");
  const std::vector<data::Answer> answers_ =
      fixture_pairs(Json::parse_file(fixture("bertscore/roberta.json")));
  TemporaryFolder folder_;
  std::string said_, signature_;
};

TEST_F(BertScore, WeightsOfEightBitsAreNear) {
  const data::Scores exact = score(answers_);
  EXPECT_EQ(signature_.find("int8"), std::string::npos);
  const data::Scores rounded = score(answers_, {.int8 = true});
  expect_contains(signature_, "|weights:int8|");
  const data::Scores pieces = score(answers_, {.int8 = true, .max_tokens = 1, .window_tokens = 1});
  EXPECT_NE(rounded.rows, exact.rows);
  for (size_t i = 0; i < answers_.size(); ++i) {
    for (size_t column = 0; column < 3; ++column) {
      EXPECT_NEAR(rounded.rows[i][column], exact.rows[i][column], 0.05) << i;
      EXPECT_NEAR(rounded.rows[i][column], pieces.rows[i][column], 1e-6) << i;
    }
  }
}

TEST_F(BertScore, NothingDependsOnTheBatch) {
  const data::Scores whole = score(answers_, {.idf = true});
  const data::Scores pieces = score(answers_, {.idf = true, .max_tokens = 1, .window_tokens = 1});
  const data::Scores middle =
      score(answers_, {.idf = true, .max_tokens = 100, .window_tokens = 150});
  for (size_t i = 0; i < answers_.size(); ++i) {
    for (size_t column = 0; column < 3; ++column) {
      EXPECT_NEAR(whole.rows[i][column], pieces.rows[i][column], 1e-6) << i;
      EXPECT_NEAR(whole.rows[i][column], middle.rows[i][column], 1e-6) << i;
    }
  }
}

// Each thread computes pieces of its own: of few rows with the same bits, of many as oneDNN cuts a
// product for so many threads.
TEST_F(BertScore, NothingDependsOnTheThreads) {
  for (const int64_t max_tokens : {30, 200}) {
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const data::Scores alone = score(answers_, {.idf = true, .max_tokens = max_tokens});
    at::set_num_threads(before);
    const TwoThreads two;
    const data::Scores shared = score(answers_, {.idf = true, .max_tokens = max_tokens});
    for (size_t i = 0; i < answers_.size(); ++i) {
      for (size_t column = 0; column < 3; ++column) {
        const double most = max_tokens == 30 ? 0 : 1e-6;
        EXPECT_NEAR(alone.rows[i][column], shared.rows[i][column], most) << i;
      }
    }
  }
}

TEST_F(BertScore, CountsWhatIsEmptyOrCut) {
  EXPECT_FALSE(score(answers_).truncated.empty());
  expect_contains(said_, "warning: 5 of 40 candidate–reference pairs have an empty text");
  expect_says(signature_, {"|layer:2|idf:no|baseline:no|max:40|trunc:", "|empty:5/40|rubric:"});
  EXPECT_TRUE(score({answers_[0]}).truncated.empty());
  EXPECT_EQ(said_, "");
  expect_contains(signature_, "|trunc:0/2|empty:0/1|");
}

TEST_F(BertScore, WhatIsUndefinedIsZeroAndTold) {
  // In the only reference every token occurs: nothing in it weighs anything.
  data::Answer answer;
  answer.references = {"Tom"};
  answer.candidate = "a farmer";
  const data::Scores scores = score({answer}, {.idf = true});
  EXPECT_EQ(scores.rows[0][0], 0);
  EXPECT_NE(scores.rows[0][1], 0);
  EXPECT_EQ(scores.rows[0][2], 0);
  expect_contains(said_,
                  "1 of 1 candidate–reference pairs have a text whose tokens all have weight 0");
}

TEST_F(BertScore, TheSignatureTellsSettingsApart) {
  std::set<std::string> seen;
  const std::vector<data::Answer> one = {answers_[0]};
  score(one);
  seen.insert(signature_);
  score(one, {.layer = 1});
  seen.insert(signature_);
  score(one, {.idf = true});
  seen.insert(signature_);
  score(one, {.baseline = fixture("bertscore/baseline.tsv")});
  seen.insert(signature_);
  seen.insert(make_bertscore(model_, {.layer = 2})->signature());  // of no rows, as the rest
  for (const auto& [file, before, after] :
       {std::tuple("config.json", "\"gelu\"", "\"relu\""),
        {"tokenizer_config.json", "\"add_prefix_space\": false", "\"add_prefix_space\": true"}}) {
    seen.insert(make_bertscore(changed(file, before, after), {.layer = 2})->signature());
  }
  EXPECT_EQ(seen.size(), 7u);
}

TEST_F(BertScore, TheLayerMustBeKnownAndThere) {
  const auto problem = [&](std::optional<int64_t> layer) {
    return input_error([&] { make_bertscore(model_, {.layer = layer}); });
  };
  EXPECT_EQ(problem(0), "accepted");
  EXPECT_EQ(problem(3), "accepted");
  expect_says(problem(4), {"the model has no layer 4", "from 0 (the embeddings) to 3"});
  expect_contains(problem(std::nullopt), "name one with --layer");
}

TEST_F(BertScore, ModelsThatDoNotFitAreNamed) {
  const auto problem = [](const std::string& model) {
    return input_error([&] { make_bertscore(model, {.layer = 1}); });
  };
  expect_contains(problem(changed("config.json", "\"vocab_size\": 961", "\"vocab_size\": 960")),
                  "embeddings.word_embeddings.weight is [961, 16]");
  expect_contains(problem(changed("merges.txt", "\n", "\nqx zz\n")), "\"qx\"");
  const std::string without = changed("config.json", "16", "16");
  fs::remove(fs::path(without) / "vocab.json");
  expect_contains(problem(without), "no tokenizer");
  expect_contains(problem(changed("tokenizer_config.json", "\"model_max_length\": 40",
                                  "\"model_max_length\": 2")),
                  "the model takes 2 tokens, too few for a text");
}

// The encoder of a LERC is one like any other.
TEST_F(BertScore, HeadsOfOtherMetricsAreLeftOutAndTold) {
  expect_contains(stderr_of([&] { make_bertscore(fixture("lerc_roberta"), {.layer = 1}); }),
                  "score_layer.weight");
}

TEST_F(BertScore, ARecordWithoutReferenceIsNamed) {
  data::Answer answer;
  answer.id = "bare";
  const auto metric = make_bertscore(model_, {.layer = 1});
  expect_contains(input_error([&] { metric->score(std::vector<data::Answer>{answer}); }),
                  "record bare");
}

}  // namespace rubric::metrics::bertscore_test
