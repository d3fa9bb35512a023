#include <algorithm>

#include "messages.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/lerc.h"
#include "metrics/neural/lerc_model.h"
#include "metrics/ngram/answer_features.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

using Texts = std::vector<std::string>;

Texts texts_without(std::string_view text) {
  const auto words = rubric::text::words_as_written(text);
  Texts texts;
  for (size_t i = 0; i < words.size(); ++i) texts.push_back(without_word(text, words, i));
  return texts;
}

TEST(WordsAsWritten, AreBetweenWhiteSpace) {
  const auto words =
      rubric::text::words_as_written(" In  1932,\u00a0it\topened.\n");  // a no-break space, too
  EXPECT_EQ(Texts(words.begin(), words.end()), (Texts{"In", "1932,", "it", "opened."}));
  EXPECT_TRUE(rubric::text::words_as_written(" \n").empty());
  EXPECT_TRUE(rubric::text::words_as_written("").empty());
}

TEST(WithoutWord, TheWhiteSpaceOfTheWordGoesToo) {
  EXPECT_EQ(texts_without("a  b c"), (Texts{"b c", "a  c", "a  b"}));
  EXPECT_EQ(texts_without(" a b "), (Texts{" b ", " a "}));
  EXPECT_EQ(texts_without("one"), Texts{""});
}

const std::vector<std::string> kFeatures = {"f1", "candidate_length"};

std::string version_of_features() {
  return "features_version: " + std::to_string(kFeaturesVersion) + "\n";
}

// The tiny LERC with bounded scores: alone, and below layers of random weights that read features.
struct ExplainedLerc : testing::Test {
  ExplainedLerc() {
    answers_ = answers_of(Json::parse_file(fixture("lerc/expected.json")));
    answers_.resize(6);
    answers_[2].candidate = "";
    answers_[3].references.emplace_back("two lemons");
    answers_[4].candidate = "  her\u00a0grandmother\nTom ";
    without_features_ =
        changed_lerc(folder_, "rubric.yaml", "max_length: 64\nhead: {bounded: true}\n");
    with_features_ = folder_.path() / "features";
    std::filesystem::copy(without_features_, with_features_);
    LercModel model = start_lerc(without_features_, 1, {kFeatures, /*bounded=*/true});
    models::write_weights(with_features_, model.tensors());
    write_file(with_features_ / "rubric.yaml",
               "max_length: 64\nhead: {bounded: true, features: [f1, candidate_length]}\n" +
                   version_of_features());
  }

  std::vector<Json> explanations(const std::filesystem::path& directory,
                                 std::span<const data::Answer> answers) const {
    const auto metric = make_lerc("lerc", directory, {.explain = true});
    const data::Scores scores = metric->score(answers);
    EXPECT_EQ(metric->field_names(), Texts{"explanation"});
    EXPECT_EQ(scores.rows, make_lerc("lerc", directory)->score(answers).rows);
    std::vector<Json> all;
    for (size_t i = 0; i < answers.size(); ++i) all.push_back(metric->fields(i).at(0));
    return all;
  }

  TemporaryFolder folder_;
  std::filesystem::path without_features_, with_features_;
  std::vector<data::Answer> answers_;
};

double score_of(const std::filesystem::path& directory, const data::Answer& answer) {
  return make_lerc("lerc", directory)->score(std::vector{answer}).rows[0][0];
}

// Each word is left out by hand, and the answer scored by itself.
TEST_F(ExplainedLerc, AWordsPartIsWhatTheScoreFallsByWithoutIt) {
  for (const auto& directory : {with_features_, without_features_}) {
    SCOPED_TRACE(directory);
    const Json found = explanations(directory, answers_).at(4);
    data::Answer answer = answers_[4];
    const double whole = score_of(directory, answer);
    const std::pair<const char*, const char*> expected[] = {{"her", "  grandmother\nTom "},
                                                            {"grandmother", "  her\u00a0Tom "},
                                                            {"Tom", "  her\u00a0grandmother "}};
    const Json::Array& pairs = found.find("words")->array();
    ASSERT_EQ(pairs.size(), 3U);
    for (size_t i = 0; i < 3; ++i) {
      answer.candidate = expected[i].second;
      EXPECT_EQ(pairs[i].array()[0].string(), expected[i].first);
      EXPECT_NEAR(pairs[i].array()[1].number(), whole - score_of(directory, answer), 1e-5) << i;
      EXPECT_NE(pairs[i].array()[1].number(), 0) << i;
    }
  }
}

TEST_F(ExplainedLerc, EveryAnswerHasItsOwn) {
  const std::vector<Json> together = explanations(with_features_, answers_);
  for (size_t i = 0; i < answers_.size(); ++i) {
    const Json alone = explanations(with_features_, {&answers_[i], 1}).at(0);
    const Json::Array &words = together[i].find("words")->array(),
                      &own = alone.find("words")->array();
    ASSERT_EQ(words.size(), own.size()) << i;
    for (size_t word = 0; word < words.size(); ++word) {
      EXPECT_EQ(words[word].array()[0].string(), own[word].array()[0].string());
      EXPECT_NEAR(words[word].array()[1].number(), own[word].array()[1].number(), 1e-5);
    }
  }
  EXPECT_TRUE(together[2].find("words")->array().empty());  // the candidate is empty
}

TEST_F(ExplainedLerc, NamesTheReferenceThatGaveTheScore) {
  data::Answer first = answers_[3], second = answers_[3];
  first.references.pop_back();
  second.references.erase(second.references.begin());
  const bool is_first = score_of(without_features_, first) > score_of(without_features_, second);
  const Json found = explanations(without_features_, answers_).at(3);
  EXPECT_EQ(found.find("reference")->string(), answers_[3].references[is_first ? 0 : 1]);
  // The words' parts are those with this reference alone.
  const Json alone = explanations(without_features_, {is_first ? &first : &second, 1}).at(0);
  EXPECT_NEAR(found.find("words")->array()[0].array()[1].number(),
              alone.find("words")->array()[0].array()[1].number(), 1e-5);
}

TEST_F(ExplainedLerc, SaysWhatTheEncoderAndTheFeaturesSay) {
  const Json found = explanations(with_features_, answers_).at(0);
  EXPECT_NEAR(found.find("encoder")->number(), score_of(without_features_, answers_[0]), 1e-5);
  const Json::Object& features = found.find("features")->object();
  ASSERT_EQ(features.size(), kFeatures.size());
  std::vector<float> values;
  append_features(answers_[0], require_features(kFeatures, ""), values);
  for (size_t i = 0; i < kFeatures.size(); ++i) {
    EXPECT_EQ(features[i].first, kFeatures[i]);
    EXPECT_FLOAT_EQ(static_cast<float>(features[i].second.number()), values[i]);
  }
  const Json without = explanations(without_features_, answers_).at(0);
  EXPECT_EQ(without.find("encoder"), nullptr);
  EXPECT_EQ(without.find("features"), nullptr);
}

TEST_F(ExplainedLerc, TheFirstWordsOfALongCandidate) {
  answers_.resize(1);
  answers_[0].passage = answers_[0].question = "rain";
  answers_[0].candidate.clear();
  for (int i = 0; i < 70; ++i) answers_[0].candidate += "a ";
  const auto directory = changed_lerc(folder_, "rubric.yaml", "max_length: 64\ncut: candidate\n");
  testing::internal::CaptureStderr();
  const Json found = explanations(directory, answers_).at(0);
  expect_contains(testing::internal::GetCapturedStderr(),
                  "warning: 1 candidate has more than 64 words: only its first 64 are explained\n");
  EXPECT_EQ(found.find("words")->array().size(), 64U);
}

// Of the candidate only the first words stand before the cut: without a later one the encoder reads
// the same. Features count it all the same.
TEST_F(ExplainedLerc, WordsBehindTheCutAreMarked) {
  answers_.resize(1);
  answers_[0].passage = answers_[0].question = "rain";
  answers_[0].references = {"two lemons"};
  answers_[0].candidate.clear();
  for (int i = 0; i < 30; ++i) answers_[0].candidate += i % 2 == 0 ? "her " : "market ";
  const auto explained = [&](const std::string& card, const std::filesystem::path& directory) {
    write_file(directory / "rubric.yaml", "max_length: 16\ncut: candidate\n" + card);
    return explanations(directory, answers_).at(0);
  };
  const Json plain = explained("head: {bounded: true}\n", without_features_);
  const Json::Array& words = plain.find("words")->array();
  ASSERT_EQ(words.size(), 30U);
  const auto read = static_cast<size_t>(
      std::ranges::count_if(words, [](const Json& word) { return word.array()[1].is_number(); }));
  EXPECT_GT(read, 0U);
  EXPECT_LE(read, 16U);
  EXPECT_EQ(plain.find("cut")->number(), static_cast<double>(30 - read));
  for (size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(words[i].array()[1].is_null(), i >= read) << i;
  }
  const Json both =
      explained("head: {bounded: true, features: [f1, candidate_length]}\n" + version_of_features(),
                with_features_);
  EXPECT_EQ(both.find("cut")->number(), static_cast<double>(30 - read));
  EXPECT_NE(both.find("words")->array()[29].array()[1].number(), 0);  // candidate_length
  answers_[0].candidate = "her market";
  EXPECT_EQ(explained("head: {bounded: true}\n", without_features_).find("cut"), nullptr);
}

// As a model that loops writes it: without a word the row is the same, as the next takes its place.
TEST_F(ExplainedLerc, WordsThatAreRepeatedAreReadUpToTheCut) {
  const auto cut_of = [&](const std::string& candidate) -> double {
    answers_.resize(1);
    answers_[0].passage = answers_[0].question = "rain";
    answers_[0].references = {"two lemons"};
    answers_[0].candidate = candidate;
    write_file(without_features_ / "rubric.yaml",
               "max_length: 16\ncut: candidate\nhead: {bounded: true}\n");
    const Json found = explanations(without_features_, answers_).at(0);
    return found.find("cut") == nullptr ? 0 : found.find("cut")->number();
  };
  std::string repeated, loop;
  for (int i = 0; i < 30; ++i) {
    repeated += "rain ";
    loop += i % 2 == 0 ? "rain " : "two ";  // each a token, too
  }
  EXPECT_EQ(cut_of(repeated), cut_of(loop));
  EXPECT_GT(cut_of(loop), 0);
  for (const char* const word : {"x", "X", "y", "Y"}) {
    EXPECT_EQ(cut_of(std::string("rain ") + word), 0) << word;
  }
}

// In every way in which a model is read; one that does not name the feature has no rule.
TEST_F(ExplainedLerc, ARuleOfTheModelMakesScoresTheLowest) {
  const std::filesystem::path ruled = folder_.path() / "ruled";
  std::filesystem::copy(without_features_, ruled);
  const std::vector<std::string> names = {"no_answer", "f1"};
  LercModel model = start_lerc(without_features_, 1, {names, /*bounded=*/true});
  models::write_weights(ruled, model.tensors());
  write_file(ruled / "rubric.yaml",
             "max_length: 64\nthreshold: 1\nhead: {bounded: true, features: [no_answer, f1]}\n" +
                 version_of_features());
  answers_.resize(4);
  answers_[0].candidate = "\u00a0\n";
  answers_[1].candidate = "I don't know.";
  answers_[2].candidate = answers_[3].candidate = "I don't know, but it may be two lemons.";
  const auto metric = make_lerc("lerc", ruled, {.verdict = true, .explain = true});
  const data::Scores scores = metric->score(answers_);
  for (size_t i = 0; i < answers_.size(); ++i) {
    const Json explained = metric->fields(i).at(1);
    const double rule = explained.require("features", "").require_number("no_answer", "");
    EXPECT_EQ(rule, i < 2 ? 1 : 0);
    if (i < 2) {
      EXPECT_EQ(scores.rows[i][0], 1);
    } else {
      EXPECT_GT(scores.rows[i][0], 1.01);
    }
    EXPECT_GT(explained.require_number("encoder", ""), 1.01);
    EXPECT_GT(score_of(without_features_, answers_[i]), 1.01);
    EXPECT_GT(score_of(with_features_, answers_[i]), 1.01);
  }
  expect_contains(metric->signature(), "|head:bounded,no_answer,f1|");
  answers_[0].references = {""};
  EXPECT_GT(score_of(ruled, answers_[0]), 1.01);
}

// Explanations do not change what the signature counts.
TEST_F(ExplainedLerc, TheSignatureIsThatOfTheScores) {
  const auto plain = make_lerc("lerc", with_features_),
             explained = make_lerc("lerc", with_features_, {.explain = true});
  plain->score(answers_);
  explained->score(answers_);
  EXPECT_EQ(explained->signature(), plain->signature());
}

}  // namespace
}  // namespace rubric::metrics
