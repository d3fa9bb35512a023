#include "metrics/answer_metric.h"

#include <atomic>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/context.h"
#include "core/error.h"
#include "messages.h"
#include "rubric/metrics.h"
#include "rubric/version.h"

namespace rubric::metrics::answer_metric_test {

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

// What the scorers of a metric share: they work at the same time, for which each waits at its first
// row until as many as there are threads have begun.
struct Crew {
  int size = 1;
  std::atomic<int> begun = 0;

  void begin() {
    ++begun;
    for (int wait = 0; begun < size && wait < 10'000; ++wait) usleep(1000);
  }
};

// The length of the candidate. Like METEOR and BLEU it has memory that two threads must not share.
class Length {
 public:
  explicit Length(Crew* crew) : crew_(crew) {}

  double score(std::span<const std::string>, std::string_view candidate) {
    EXPECT_FALSE(in_use_.exchange(true));
    if (crew_ != nullptr) std::exchange(crew_, nullptr)->begin();
    text_ = candidate;
    const auto length = static_cast<double>(text_.size());
    in_use_ = false;
    return length;
  }

 private:
  Crew* crew_;  // null once it has begun
  std::string text_;
  std::atomic<bool> in_use_ = false;
};

// Texts of 0 to 999 bytes, enough for four threads.
std::vector<data::Answer> many_rows() {
  std::vector<data::Answer> answers(2000, row({"a"}));
  for (size_t i = 0; i < answers.size(); ++i) {
    answers[i].id = "q" + std::to_string(i);
    answers[i].candidate = std::string(617 * i % 1000, 'a');
  }
  return answers;
}

TEST(SentenceMetric, ThreadsScoreRowsWithAScorerEach) {
  const std::vector<data::Answer> answers = many_rows();
  for (const int threads : {1, 4}) {
    const ContextScope scope({.threads = static_cast<size_t>(threads)});
    Crew crew{.size = threads};
    const auto metric = make_sentence_metric("length", scorer_maker<Length>(&crew));
    metric->begin();
    for (int part = 0; part < 3; ++part) {
      const data::Scores scores = metric->score_part(answers);
      ASSERT_EQ(scores.rows.size(), answers.size());
      for (size_t i = 0; i < answers.size(); ++i) {
        EXPECT_EQ(scores.rows[i][0], static_cast<double>(answers[i].candidate.size())) << i;
      }
    }
    EXPECT_EQ(crew.begun, threads);  // of every part the same scorers
  }
}

TEST(SentenceMetric, OfSeveralRowsWithoutReferenceTheFirstIsNamed) {
  const ContextScope scope({.threads = 4});
  Crew crew{.size = 4};
  const auto metric = make_sentence_metric("length", scorer_maker<Length>(&crew));
  std::vector<data::Answer> answers = many_rows();
  for (const size_t i : {400, 900, 1600}) answers[i].references.clear();
  for (int run = 0; run < 20; ++run) {
    expect_contains(input_error([&] { metric->score(answers); }), "record \"q400\"");
  }
}

// Refuses the candidate "bad"; the others wait until it was met, and then take a millisecond each.
class Refusing {
 public:
  struct Shared {
    std::atomic<bool> refused = false;
    std::atomic<int> scored = 0;
  };
  explicit Refusing(Shared* shared) : shared_(shared) {}

  double score(std::span<const std::string>, std::string_view candidate) {
    if (candidate == "bad") {
      shared_->refused = true;
      throw InputError("refused");
    }
    for (int wait = 0; !shared_->refused && wait < 10'000; ++wait) usleep(1000);
    usleep(1000);
    ++shared_->scored;
    return 1;
  }

 private:
  Shared* shared_;
};

TEST(SentenceMetric, ABadRowEndsTheScoringOfThoseAfterIt) {
  const ContextScope scope({.threads = 4});
  Refusing::Shared shared;
  const auto metric = make_sentence_metric("refusing", scorer_maker<Refusing>(&shared));
  std::vector<data::Answer> answers = many_rows();
  answers[0].candidate = "bad";
  expect_contains(input_error([&] { metric->score(answers); }), "record \"q0\"");
  EXPECT_LT(shared.scored, 750);  // of 1500 in the other threads' ranges
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

}  // namespace rubric::metrics::answer_metric_test
