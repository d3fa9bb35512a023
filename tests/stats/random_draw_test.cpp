#include "stats/random_draw.h"

#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "core/random.h"
#include "sanitized.h"

namespace rubric::stats::random_draw_test {

// Answers of systems to questions, with two metrics: one has few values, the other rare large ones.
struct Answers {
  std::vector<uint32_t> systems, strata;
  Clusters questions;
  std::vector<std::vector<double>> metrics = {{}, {}};

  std::vector<UnlikelyStatistic> look_at(const std::vector<uint32_t>& labelled) const {
    return unlike_random_draws({metrics, systems, strata, questions, labelled}, 0);
  }
};

double draw(uint64_t what, uint64_t i) {
  return uniform(random_bits(7, Purpose::initialise, what, i));
}

// Two systems' answers to each question, but for every tenth, which has one. What is right about
// one answer to a question is often right about the other.
Answers answers_of(uint32_t questions) {
  Answers answers;
  for (uint32_t q = 0; q < questions; ++q) {
    for (uint32_t system = 0; system < (q % 10 == 0 ? 1U : 2U); ++system) {
      const uint64_t i = answers.systems.size();
      answers.systems.push_back(system);
      answers.questions.of.push_back(q);
      answers.metrics[0].push_back(draw(1, q) + draw(2, i) > 1.2 ? 1 : 0);
      answers.metrics[1].push_back(std::pow(draw(3, i), -0.7));
    }
  }
  answers.questions.count = questions;
  return answers;
}

// Each of `all` with the chance `share`, but at least one.
std::vector<uint32_t> drawn_of(uint64_t seed, uint32_t all, double share) {
  std::vector<uint32_t> drawn;
  for (uint32_t i = 0; i < all; ++i) {
    if (uniform(random_bits(seed, Purpose::shuffle, i)) < share) drawn.push_back(i);
  }
  return drawn;
}

// The probability of a false alarm is 0.1% of a draw, so that 1,000 draws give 10 or more in one
// call of ten million. They are drawn by answer, by question, by strata with other shares, and one
// system alone.
TEST(RandomDraw, TrueDrawsAreHardlyEverTakenForNone) {
  Answers answers = answers_of(300);
  const auto all = static_cast<uint32_t>(answers.systems.size());
  for (const std::string design : {"answers", "questions", "strata", "one system"}) {
    SCOPED_TRACE(design);
    answers.strata.assign(design == "strata" ? all : 0, 0);
    for (uint32_t i = 0; i < answers.strata.size(); ++i) answers.strata[i] = i % 5 == 0 ? 1 : 0;
    int64_t alarms = 0;
    for (uint64_t seed = 0; seed < (is_sanitized() ? 100 : 1000); ++seed) {
      std::vector<uint32_t> labelled;
      if (design == "questions") {
        std::vector<bool> is_drawn(300);
        for (const uint32_t q : drawn_of(seed, 300, 0.2)) is_drawn[q] = true;
        for (uint32_t i = 0; i < all; ++i) {
          if (is_drawn[answers.questions.of[i]]) labelled.push_back(i);
        }
      } else {
        labelled = drawn_of(seed, all, design == "strata" ? 0.4 : 0.1);
        std::erase_if(labelled, [&](uint32_t i) {
          if (design == "one system") return answers.systems[i] == 1;
          return design == "strata" && answers.strata[i] == 0 && i % 3 != 0;
        });
      }
      alarms += answers.look_at(labelled).empty() ? 0 : 1;
    }
    EXPECT_LT(alarms, is_sanitized() ? 3 : 10);
  }
}

// What is reported is the statistic itself.
void expect_statistic(const Answers& answers, const std::vector<uint32_t>& labelled,
                      const UnlikelyStatistic& unlikely) {
  const std::vector<double>& metric = answers.metrics[unlikely.series];
  double sum = 0, squares = 0, count = 0, of_labels = 0, labels = 0;
  for (size_t i = 0; i < metric.size(); ++i) {
    if (answers.systems[i] != unlikely.part) continue;
    sum += metric[i];
    squares += metric[i] * metric[i];
    ++count;
  }
  const double mean = sum / count;
  for (const uint32_t i : labelled) {
    if (answers.systems[i] != unlikely.part) continue;
    of_labels += unlikely.is_variance ? std::pow(metric[i] - mean, 2) : metric[i];
    ++labels;
  }
  EXPECT_EQ(static_cast<double>(unlikely.labels), labels);
  EXPECT_EQ(static_cast<double>(unlikely.records), count);
  EXPECT_NEAR(unlikely.of_labels, of_labels / labels, 1e-9);
  EXPECT_NEAR(unlikely.of_all, unlikely.is_variance ? squares / count - mean * mean : mean, 1e-9);
}

TEST(RandomDraw, LabelsByScoreAreNone) {
  const Answers answers = answers_of(300);
  std::vector<uint32_t> best, worst;
  for (uint32_t i = 0; i < 570; ++i) {
    if (answers.metrics[0][i] == 1 && i % 2 == 0) best.push_back(i);
    if (answers.metrics[0][i] == 0 && i % 3 == 0) worst.push_back(i);
  }
  for (const std::vector<uint32_t>& labelled : {best, worst}) {
    const auto unlikely = answers.look_at(labelled);
    ASSERT_EQ(unlikely.size(), 2U);  // of each system
    for (const UnlikelyStatistic& of_system : unlikely) {
      EXPECT_EQ(of_system.series, 0U);
      expect_statistic(answers, labelled, of_system);
    }
    EXPECT_EQ(unlikely[1].part, 1U);
  }
}

// The mean is that of all, and no draw has so small a variance.
TEST(RandomDraw, LabelsOfTheMiddleAreNone) {
  Answers answers;
  for (uint32_t i = 0; i < 400; ++i) {
    answers.systems.push_back(0);
    answers.questions.of.push_back(i);
    answers.metrics[0].push_back(i / 400.0);
  }
  answers.questions.count = 400;
  answers.metrics.pop_back();
  std::vector<uint32_t> labelled(60);
  std::iota(labelled.begin(), labelled.end(), 170U);
  const auto found = answers.look_at(labelled);
  ASSERT_EQ(found.size(), 1U);
  const UnlikelyStatistic& unlikely = found.front();
  EXPECT_TRUE(unlikely.is_variance);
  EXPECT_LT(unlikely.of_labels, unlikely.of_all / 10);
  EXPECT_NEAR(unlikely.of_all, 1 / 12.0, 1e-3);
  EXPECT_EQ(unlikely.labels, 60);
  EXPECT_EQ(unlikely.records, 400);
}

TEST(RandomDraw, NothingIsSaidOfAllLabelsOrNone) {
  const Answers answers = answers_of(20);
  std::vector<uint32_t> all(answers.systems.size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_TRUE(answers.look_at(all).empty());
  EXPECT_TRUE(answers.look_at({}).empty());
  Answers constant = answers;
  for (auto& metric : constant.metrics) metric.assign(metric.size(), 0.1);
  EXPECT_TRUE(constant.look_at({0, 1, 2, 3, 4, 5}).empty());
}

// Each system, where the other one's labels are a draw.
TEST(RandomDraw, TheSystemIsNamed) {
  const Answers answers = answers_of(300);
  std::vector<uint32_t> labelled;
  for (uint32_t i = 0; i < 570; ++i) {
    const bool is_drawn = draw(9, i) < 0.2;
    if (answers.systems[i] == 0 ? is_drawn : answers.metrics[0][i] == 1 && i % 3 == 0) {
      labelled.push_back(i);
    }
  }
  const auto unlikely = answers.look_at(labelled);
  ASSERT_EQ(unlikely.size(), 1U);
  EXPECT_EQ(unlikely[0].part, 1U);
  EXPECT_EQ(unlikely[0].records, 270);
}

}  // namespace rubric::stats::random_draw_test
