// What is chosen, filled in and estimated has the mean of all answers as its expectation.
#include "eval/estimate/choose.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random.h"
#include "stats/bootstrap.h"
#include "stats/prediction_powered.h"

namespace rubric::eval::choose_test {

double uniform_of(uint64_t what, uint64_t i) {
  return uniform(random_bits(17, Purpose::bootstrap, what, i));
}

// 300 answers to 100 questions. Verdicts are least certain in the middle of the good metric's
// scores; the weak metric agrees with it about half of them.
struct World {
  ChoicePool pool;
  std::vector<double> labels;

  World() {
    pool.scores.resize(2);
    for (uint32_t i = 0; i < 300; ++i) {
      const double score = uniform_of(1, i);
      const double right =
          std::clamp(2 * score - 0.5 + 0.2 * (uniform_of(4, i / 3) - 0.5), 0.0, 1.0);
      labels.push_back(uniform_of(2, i) < right ? 1 : 0);
      pool.scores[0].push_back(score);
      pool.scores[1].push_back(i % 2 == 0 ? score : uniform_of(3, i));
      pool.questions.push_back(i / 3);
    }
  }
  double truth() const { return stats::mean(labels); }

  // A pool in which the rows that were chosen have labels.
  ChoicePool filled(const Choice& choice) const {
    ChoicePool after = pool;
    std::vector<std::pair<uint32_t, size_t>> rows;
    for (size_t i = 0; i < choice.rows.size(); ++i) rows.emplace_back(choice.rows[i], i);
    std::ranges::sort(rows);
    for (const auto& [row, i] : rows) {
      after.earlier.push_back(row);
      after.labelled.push_back(row);
      after.probabilities.push_back(choice.probabilities[i]);
      after.strata.push_back(choice.strata[i]);
      after.labels.push_back(labels[row]);
    }
    return after;
  }
};

stats::PoweredMean estimate_of(const World& world, const ChoicePool& filled, stats::Slope slope) {
  stats::LabelledSample sample;
  for (uint32_t i = 0; i < 300; ++i) sample.records.push_back(i);
  sample.strata.resize(300);
  std::map<std::string, uint32_t> numbers;
  std::vector<std::set<uint32_t>> questions;
  for (size_t l = 0; l < filled.labelled.size(); ++l) {
    const auto next = static_cast<uint32_t>(numbers.size());
    const uint32_t stratum = numbers.emplace(filled.strata[l], next).first->second;
    questions.resize(numbers.size());
    questions[stratum].insert(world.pool.questions[filled.labelled[l]]);
    sample.strata[filled.labelled[l]] = stratum;
  }
  for (const auto& of : questions) sample.drawn.push_back(static_cast<double>(of.size()));
  sample.labelled = filled.labelled;
  sample.labels = filled.labels;
  sample.probabilities = filled.probabilities;
  sample.clusters = world.pool.questions;
  return stats::powered_mean(stats::draw_of(sample), world.pool.scores[0], slope);
}

// Over many seeds.
struct Expectation {
  stats::Moments weighted;   // the sum of label / probability, over the number of answers
  stats::Moments estimated;  // the value of `estimate` with the good metric
  int held = 0, held_alone = 0, draws = 0;

  void add(const World& world, const ChoicePool& filled) {
    double sum = 0;
    for (size_t l = 0; l < filled.labels.size(); ++l) {
      sum += filled.labels[l] / filled.probabilities[l];
    }
    weighted.add(sum / 300);
    const stats::PoweredMean mean = estimate_of(world, filled, stats::Slope::tuned);
    const stats::PoweredMean alone = estimate_of(world, filled, stats::Slope::none);
    estimated.add(mean.value);
    const auto holds = [&](const stats::Interval& of) {
      return of.low <= world.truth() && world.truth() <= of.high;
    };
    held += holds(mean.interval) ? 1 : 0;
    held_alone += holds(alone.interval) ? 1 : 0;
    ++draws;
  }
  static double standard_error(const stats::Moments& of) {
    return std::sqrt(of.squares / static_cast<double>(of.n) / static_cast<double>(of.n));
  }
  void expect_unbiased(double truth) const {
    EXPECT_LT(std::abs(weighted.mean - truth), 4 * standard_error(weighted));
    // A ratio of sums has a bias of the order of its variance.
    EXPECT_LT(std::abs(estimated.mean - truth), 4 * standard_error(estimated) + 0.003);
    for (const int of : {held, held_alone}) {
      EXPECT_GT(of, 0.925 * draws);
      EXPECT_LT(of, 0.98 * draws);
    }
  }
};

constexpr uint64_t kSeeds = 1500;

TEST(Choose, EveryWayIsUnbiased) {
  World world;
  for (const bool draws_questions : {false, true}) {
    world.pool.draws_questions = draws_questions;
    for (const ChooseMethod method : {ChooseMethod::random, ChooseMethod::disagreement}) {
      SCOPED_TRACE(static_cast<int>(method) + (draws_questions ? 10 : 0));
      Expectation expectation;
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Choice choice = choose_rows(world.pool, method, 60, seed);
        EXPECT_EQ(choice.rows.size(), 60U);
        expectation.add(world, world.filled(choice));
      }
      expectation.expect_unbiased(world.truth());
    }
  }
}

// 30 labels at random decide where 40 more are drawn.
TEST(Choose, ASecondSheetByTheFirstOnesLabelsIsUnbiased) {
  World world;
  for (const bool draws_questions : {false, true}) {
    world.pool.draws_questions = draws_questions;
    for (const ChooseMethod method : {ChooseMethod::score, ChooseMethod::random}) {
      SCOPED_TRACE(static_cast<int>(method) + (draws_questions ? 10 : 0));
      Expectation expectation;
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        World of_one = world;
        of_one.pool.scores.resize(1);
        const ChoicePool first =
            of_one.filled(choose_rows(of_one.pool, ChooseMethod::random, 30, seed));
        const Choice choice = choose_rows(first, method, 70, seed);
        const ChoicePool filled = of_one.filled(choice);
        expectation.add(of_one, filled);
        if (!draws_questions) {
          EXPECT_EQ(filled.labels.size(), 70U);
        }
        for (const uint32_t row : first.earlier) {
          EXPECT_TRUE(std::ranges::binary_search(filled.earlier, row));
        }
      }
      expectation.expect_unbiased(world.truth());
    }
  }
}

// Neyman (1934): as answers times deviation. Labels differ from the line by 0 in the lower half of
// the scores and by 1 in the upper.
TEST(Choose, MoreIsDrawnWhereLabelsVaryMore) {
  ChoicePool pool;
  pool.scores.resize(1);
  for (uint32_t i = 0; i < 1000; ++i) {
    pool.scores[0].push_back(i / 1000.0);
    pool.questions.push_back(i);
    if (i % 5 != 0) continue;
    pool.earlier.push_back(i);
    pool.labelled.push_back(i);
    pool.probabilities.push_back(0.2);
    pool.strata.emplace_back("1");
    pool.labels.push_back(i < 400 ? 0 : i % 2 == 0 ? 1 : -1);
  }
  const Choice choice = choose_rows(pool, ChooseMethod::score, 400, 0);
  ASSERT_EQ(choice.described.size(), 5U);
  int64_t chosen = 0;
  for (const ChosenStratum& stratum : choice.described) {
    EXPECT_EQ(stratum.answers, 160);
    chosen += stratum.chosen;
  }
  EXPECT_EQ(chosen, 200);
  EXPECT_LT(3 * choice.described[0].chosen, choice.described[4].chosen);
  EXPECT_NEAR(static_cast<double>(choice.described[4].chosen) /
                  static_cast<double>(choice.described[3].chosen),
              *choice.described[4].standard_deviation / *choice.described[3].standard_deviation,
              0.1);
  EXPECT_EQ(std::set(choice.strata.begin(), choice.strata.end()),
            (std::set<std::string>{"1", "2.1", "2.2", "2.3", "2.4", "2.5"}));
}

// Of five strata fewer than two answers are drawn from each: neighbours are one stratum.
TEST(Choose, StrataWithOneAnswerAreJoined) {
  ChoicePool pool;
  pool.scores.resize(1);
  for (uint32_t i = 0; i < 1000; ++i) {
    pool.scores[0].push_back(i / 1000.0);
    pool.questions.push_back(i);
  }
  for (const int64_t budget : {2, 5, 6, 9}) {
    const Choice choice = choose_rows(pool, ChooseMethod::score, budget, 0);
    std::map<std::string, int> counts;
    for (const std::string& stratum : choice.strata) ++counts[stratum];
    EXPECT_EQ(counts.size(), budget == 2 ? 1U : 2U);
    for (const auto& [stratum, count] : counts) EXPECT_GE(count, 2) << stratum;
  }
}

TEST(Choose, WhatCannotBeDrawnIsRefused) {
  World world;
  EXPECT_THROW(choose_rows(world.pool, ChooseMethod::random, 301, 0), InputError);
  EXPECT_THROW(choose_rows(world.pool, ChooseMethod::score, 60, 0), InputError);  // two metrics
  EXPECT_EQ(choose_rows(world.pool, ChooseMethod::random, 300, 0).rows.size(), 300U);
  ChoicePool half = world.filled(choose_rows(world.pool, ChooseMethod::random, 150, 0));
  EXPECT_THROW(choose_rows(half, ChooseMethod::random, 150, 0), InputError);
  for (const double probability : choose_rows(half, ChooseMethod::random, 300, 0).probabilities) {
    EXPECT_NEAR(probability, 1, 1e-9);  // all are labelled
  }
  world.pool.scores.resize(1);
  EXPECT_THROW(choose_rows(world.pool, ChooseMethod::disagreement, 60, 0), InputError);
  EXPECT_THROW(choose_rows(world.pool, ChooseMethod::random, 1, 0), InputError);
  world.pool.draws_questions = true;
  EXPECT_THROW(choose_rows(world.pool, ChooseMethod::random, 5, 0),
               InputError);  // three a question
}

}  // namespace rubric::eval::choose_test
