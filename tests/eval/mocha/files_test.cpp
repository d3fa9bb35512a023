#include <set>

#include <gtest/gtest.h>

#include "core/hash.h"
#include "eval/mocha/mocha.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval::mocha_files_test {

// The error of a call with these files.
std::string error(const std::set<std::string>& given) {
  const auto path = [&](const char* name) { return given.contains(name) ? name : ""; };
  MochaFiles files;
  files.predictions = path("predictions");
  files.scores = path("scores");
  files.minimal_pairs = path("minimal-pairs");
  files.pair_predictions = path("pair-predictions");
  files.pair_scores = path("pair-scores");
  return input_error([&] { check_files(files); });
}

TEST(MochaFiles, MustGoTogether) {
  EXPECT_EQ(error({"scores"}), "accepted");
  EXPECT_EQ(error({"scores", "minimal-pairs", "pair-scores"}), "accepted");
  EXPECT_EQ(error({"predictions", "minimal-pairs", "pair-predictions"}), "accepted");
  expect_contains(error({}), "either --predictions or --scores");
  expect_contains(error({"predictions", "scores"}), "either --predictions or --scores");
  expect_contains(error({"scores", "minimal-pairs"}), "two files");
  expect_contains(error({"scores", "pair-scores"}), "two files");
  expect_contains(error({"scores", "minimal-pairs", "pair-scores", "pair-predictions"}),
                  "two files");
  EXPECT_EQ(error({"scores", "minimal-pairs", "pair-predictions"}), "accepted");
  expect_contains(error({"predictions", "minimal-pairs", "pair-scores"}),
                  "--predictions with --pair-predictions");
}

struct ScoredFiles : testing::Test {
  ScoredFiles() {
    files_.scores =
        folder_.write("scores.jsonl", R"({"id": "a", "scores": {"lerc": 1, "bleu1": 0.1}})");
    files_.pair_scores = folder_.write(
        "pairs.json", R"({"drop": {"m": {"scores1": {"lerc": 2}, "scores2": {"lerc": 1}}}})");
  }

  std::vector<MochaPredictions> read(const std::vector<std::string>& metrics) const {
    return read_metrics(files_, metrics);
  }

  TemporaryFolder folder_;
  MochaFiles files_;
};

TEST_F(ScoredFiles, HoldTheirMetricsInTheOrderAskedFor) {
  const std::vector<MochaPredictions> all = read({}), chosen = read({"lerc", "bleu1"});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].metric, "bleu1");
  EXPECT_FALSE(all[0].pairs);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].metric, "lerc");
  EXPECT_EQ(chosen[0].answers, (data::Predictions{{{"", "a"}, 1}}));
  EXPECT_EQ(chosen[0].pairs->better, (data::Predictions{{{"drop", "m"}, 2}}));
  EXPECT_EQ(chosen[0].pairs->worse, (data::Predictions{{{"drop", "m"}, 1}}));
  expect_contains(input_error([&] { read({"lrec"}); }), "did you mean lerc?");
}

TEST_F(ScoredFiles, PairsScoredByNoMetricAreRefused) {
  EXPECT_TRUE(read({"lerc"})[0].pairs);
  expect_contains(input_error([&] { read({"bleu1"}); }), "no minimal pair is scored by bleu1");
}

TEST_F(ScoredFiles, PairPredictionsGoWithOneMetric) {
  files_.pair_scores.clear();
  files_.pair_predictions =
      folder_.write("pairs.json", R"({"drop": {"m": {"pred_score1": 4, "pred_score2": 3}}})");
  const std::vector<MochaPredictions> one = read({"bleu1"});
  EXPECT_EQ(one[0].answers, (data::Predictions{{{"", "a"}, 0.1}}));
  EXPECT_EQ(one[0].pairs->better, (data::Predictions{{{"drop", "m"}, 4}}));
  EXPECT_EQ(one[0].pairs->worse, (data::Predictions{{{"drop", "m"}, 3}}));
  expect_contains(input_error([&] { read({}); }), "name one with --metric");
}

TEST_F(ScoredFiles, SignWithTheirHashes) {
  const auto hash = [](const std::string& file) { return sha256_file(file).substr(0, 12); };
  files_.data =
      folder_.write("data.csv", "constituent,id,reference,candidate,score\ndrop,a,r,c,1\n");
  files_.minimal_pairs =
      folder_.write("pairs.csv", "constituent,id,reference,candidate1,candidate2\ndrop,m,r,a,b\n");
  MochaRequest request;
  request.files = files_;
  expect_contains(evaluate_mocha_files(request).signature,
                  "|data:" + hash(files_.data) + "|scores:" + hash(files_.scores) +
                      "|minimal-pairs:" + hash(files_.minimal_pairs) +
                      "|pair-scores:" + hash(files_.pair_scores) + "|");
}

TEST(MochaInstances, MayBeRowsOfAnyForm) {
  const TemporaryFolder folder;
  const auto pairs = read_mocha_minimal_pairs(folder.write(
      "pairs.tsv",
      "constituent\tid\tpassage\tquestion\treference\tcandidate1\tcandidate2\tscore1\tscore2\n"
      "drop\tm\tp\tq\tr\tgood\tbad\t5\t1.5\n"));
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].better.candidate, "good");
  EXPECT_EQ(pairs[0].worse.candidate, "bad");
  EXPECT_EQ(pairs[0].worse.score, 1.5);
  EXPECT_EQ(pairs[0].worse.constituent, "drop");
  const auto error = [&](const std::string& text) {
    return input_error([&] { read_mocha_minimal_pairs(folder.write("p.csv", text)); });
  };
  const std::string header = "constituent,id,reference,candidate1,candidate2\n";
  expect_contains(error(header + "d,m,r,a,b\nd,m,r,a,b\n"), "two instances have this id");
  expect_contains(error(header + ",m,r,a,b\n"), "the row names no constituent");
  expect_contains(error("constituent,id,reference,candidate\nd,m,r,a\n"),
                  "\"candidate1\" is missing");
  expect_contains(error(header), "the file has no rows");
}

}  // namespace rubric::eval::mocha_files_test
