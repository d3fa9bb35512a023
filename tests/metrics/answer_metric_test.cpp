#include "metrics/answer_metric.h"

#include <atomic>

#include <gtest/gtest.h>

#include "core/context.h"
#include "messages.h"
#include "rubric/metrics.h"
#include "rubric/version.h"

namespace rubric::metrics {
namespace {

// Counts {1 where the candidate is the reference, 1}: a row scores 1 or 0, the corpus 100 times the
// share.
std::unique_ptr<AnswerMetric> make_share() {
  return make_corpus_metric(
      "share",
      {.make_count =
           [] {
             return [](std::span<const std::string> references, std::string_view candidate) {
               return std::vector<double>{references[0] == candidate ? 1. : 0., 1.};
             };
           },
       .of_row = [](std::span<const double> counts) { return counts[0]; },
       .of_corpus = [](std::span<const double> counts) { return 100 * counts[0] / counts[1]; }},
      "|case:mixed");
}

data::Answer row(std::vector<std::string> references) {
  data::Answer answer;
  answer.id = "q1";
  answer.candidate = "a";
  answer.references = std::move(references);
  return answer;
}

TEST(CorpusMetric, TheCorpusScoreIsOfTheSumAndNotTheMean) {
  const auto metric = make_share();
  const std::vector<data::Answer> answers = {row({"a"}), row({"b"}), row({"a"}), row({"a"})};
  const data::Scores scores = metric->score(answers);
  EXPECT_EQ(scores.names, std::vector<std::string>{"share"});
  EXPECT_EQ(scores.rows, (std::vector<std::vector<double>>{{1}, {0}, {1}, {1}}));
  EXPECT_EQ(score_of_all(scores), std::vector<double>{75});
}

TEST(CorpusMetric, TheSignatureSaysHowManyReferencesTheRowsHave) {
  const std::string rest = "|case:mixed|rubric:" + version_with_build();
  const auto metric = make_share();
  EXPECT_EQ(metric->signature(), "share" + rest);
  metric->score(std::vector<data::Answer>{row({"a", "b"})});
  EXPECT_EQ(metric->signature(), "share|nrefs:2" + rest);
  metric->score(std::vector<data::Answer>{row({"a", "b"}), row({"a"}), row({"a"})});
  EXPECT_EQ(metric->signature(), "share|nrefs:var" + rest);
  metric->score(std::vector<data::Answer>{row({"a"})});  // only the records scored last count
  EXPECT_EQ(metric->signature(), "share|nrefs:1" + rest);
}

// The length of the candidate. Like METEOR and BLEU it has memory that two threads must not share.
class Length {
 public:
  explicit Length(std::atomic<int>* made) { ++*made; }

  double score(std::span<const std::string>, std::string_view candidate) {
    EXPECT_FALSE(in_use_.exchange(true));
    text_ = candidate;
    const auto length = static_cast<double>(text_.size());
    in_use_ = false;
    return length;
  }

 private:
  std::string text_;
  std::atomic<bool> in_use_ = false;
};

// Texts of 0 to 999 bytes, enough for four threads.
std::vector<data::Answer> many_rows() {
  std::vector<data::Answer> answers(2000, row({"a"}));
  for (size_t i = 0; i < answers.size(); ++i) {
    answers[i].id = "q" + std::to_string(i);
    answers[i].candidate = std::string(i % 1000, 'a');
  }
  return answers;
}

TEST(SentenceMetric, ThreadsScoreRowsWithAScorerEach) {
  const ContextScope scope({.threads = 4});
  std::atomic<int> made = 0;
  const auto metric = make_sentence_metric("length", score_of<Length>(&made));
  const std::vector<data::Answer> answers = many_rows();
  metric->begin();
  for (int part = 0; part < 3; ++part) {
    const data::Scores scores = metric->score_part(answers);
    ASSERT_EQ(scores.rows.size(), answers.size());
    for (size_t i = 0; i < answers.size(); ++i) {
      EXPECT_EQ(scores.rows[i], std::vector<double>{static_cast<double>(i % 1000)}) << i;
    }
  }
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 4);
}

TEST(SentenceMetric, OfSeveralRowsWithoutReferenceTheFirstIsNamed) {
  const ContextScope scope({.threads = 4});
  std::atomic<int> made = 0;
  const auto metric = make_sentence_metric("length", score_of<Length>(&made));
  std::vector<data::Answer> answers = many_rows();
  for (const size_t i : {400, 900, 1600}) answers[i].references.clear();
  for (int run = 0; run < 20; ++run) {
    expect_contains(input_error([&] { metric->score(answers); }), "record \"q400\"");
  }
}

class OfOnePart final : public AnswerMetric {
 public:
  data::Scores score(std::span<const data::Answer> answers) override {
    return {.names = {"one"}, .rows = {answers.size(), {1.}}};
  }
  std::string signature() const override { return "one"; }
};

TEST(AnswerMetric, WithoutPartsRefusesASecondOne) {
  OfOnePart metric;
  const std::vector<data::Answer> answers = {row({"a"})};
  for (int series = 0; series < 2; ++series) {
    metric.begin();
    EXPECT_EQ(metric.score_part(answers).rows.size(), 1U);
    EXPECT_THROW(metric.score_part(answers), Error);
  }
}

TEST(CorpusMetric, ARowWithoutReferenceIsNamed) {
  expect_contains(input_error([] { make_share()->score(std::vector<data::Answer>{row({})}); }),
                  "record \"q1\"");
}

}  // namespace
}  // namespace rubric::metrics
