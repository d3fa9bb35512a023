// What prediction-powered intervals hold, and how wide they are, over many random draws of labels.
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/cross_fitting.h"
#include "stats/labelled_world.h"
#include "stats/prediction_powered.h"

namespace rubric::stats::prediction_powered_coverage_test {

// What many draws of labels say of labels alone and of labels with predictions.
struct Coverage {
  int draws = 0, alone = 0, powered = 0;  // how often the interval holds the truth
  double alone_width = 0, powered_width = 0;
  double alone_square = 0, powered_square = 0;  // sums of squared errors
  Moments powered_values;

  void add(const PoweredMean& without, const PoweredMean& with, double truth) {
    const auto holds = [&](const Interval& of) { return of.low <= truth && truth <= of.high; };
    ++draws;
    alone += holds(without.interval) ? 1 : 0;
    powered += holds(with.interval) ? 1 : 0;
    alone_width += without.interval.high - without.interval.low;
    powered_width += with.interval.high - with.interval.low;
    alone_square += std::pow(without.value - truth, 2);
    powered_square += std::pow(with.value - truth, 2);
    powered_values.add(with.value);
  }
  double relative_width() const { return powered_width / alone_width; }
};

constexpr int kDraws = 1000;  // the standard error of a coverage of 95% is 0.7%

void expect_coverage(const Coverage& coverage, double least, double most) {
  for (const int held : {coverage.alone, coverage.powered}) {
    EXPECT_GT(held, least * coverage.draws);
    EXPECT_LT(held, most * coverage.draws);
  }
}

// Each draw's labels, from a world that stays.
Coverage coverage_of(const World& world,
                     const std::function<LabelledSample(uint64_t seed)>& sample) {
  Coverage coverage;
  for (int d = 0; d < kDraws; ++d) {
    const LabelledSample labelled = sample(static_cast<uint64_t>(d));
    const LabelDraw draw = draw_of(labelled);
    coverage.add(powered_mean(draw, {}, Slope::none),
                 powered_mean(draw, world.predictions, Slope::tuned), world.truth());
  }
  return coverage;
}

TEST(PredictionPoweredCoverage, IntervalsHoldTheMeanOfFixedRecords) {
  const World world = linear_world(600, 1);
  for (const size_t n : {50u, 200u, 400u}) {
    SCOPED_TRACE(n);
    const Coverage coverage =
        coverage_of(world, [&](uint64_t seed) { return drawn(world, n, seed); });
    expect_coverage(coverage, 0.93, 0.97);
    EXPECT_LT(coverage.relative_width(), 0.45);
    const double bias = coverage.powered_values.mean - world.truth();
    EXPECT_LT(std::abs(bias), 4 * std::sqrt(coverage.powered_square) / kDraws);
  }
}

TEST(PredictionPoweredCoverage, UselessPredictionsDoNoHarm) {
  World world = linear_world(600, 2);
  for (size_t i = 0; i < 600; ++i) world.predictions[i] = draw_uniform(3, 3, i);
  for (const size_t n : {50u, 200u}) {
    const Coverage coverage =
        coverage_of(world, [&](uint64_t seed) { return drawn(world, n, seed); });
    expect_coverage(coverage, 0.93, 0.97);
    EXPECT_LT(coverage.relative_width(), 1.03);
    EXPECT_LT(coverage.powered_square, 1.06 * coverage.alone_square);
  }
}

// Of 500 records the second stratum holds 80%, but few of the labels.
TEST(PredictionPoweredCoverage, StrataWithFewLabelsAreAsUncertainAsTheyAre) {
  World world = linear_world(500, 4);
  for (size_t i = 0; i < 500; ++i) {
    world.strata.push_back(i < 100 ? 0 : 1);
    world.labels[i] += i < 100 ? 5 : 0;
  }
  for (const auto& [few, many] : {std::pair<size_t, size_t>{2, 8}, {3, 30}, {5, 40}, {30, 30}}) {
    SCOPED_TRACE(few);
    const Coverage coverage = coverage_of(world, [&, n = few, first = many](uint64_t seed) {
      LabelledSample sample = sample_of(world);
      label_some(world, first, 0, 100, seed, sample);
      label_some(world, n, 100, 500, seed, sample);
      return sample;
    });
    expect_coverage(coverage, 0.93, 1.01);
    EXPECT_LT(coverage.relative_width(), 1.05);
  }
}

TEST(PredictionPoweredCoverage, LambdaAndErrorsAreThoseOfClusters) {
  const World world = clustered_world();
  for (const size_t n : {20u, 60u}) {
    const Coverage coverage = coverage_of(world, [&](uint64_t seed) {
      const std::vector<int64_t> order = permutation(300, seed, Purpose::bootstrap, 0);
      LabelledSample sample = sample_of(world);
      for (uint32_t i = 0; i < 1800; ++i) {
        if (order[i / 6] < static_cast<int64_t>(n)) label(world, i, sample);
      }
      return sample;
    });
    expect_coverage(coverage, 0.93, 0.97);
    EXPECT_LT(coverage.relative_width(), 1.03);
  }
}

TEST(PredictionPoweredCoverage, RecordsOfAClusterMayBeDrawnIndependently) {
  const World world = clustered_world();
  const Coverage coverage =
      coverage_of(world, [&](uint64_t seed) { return drawn(world, 500, seed); });
  expect_coverage(coverage, 0.93, 0.97);
  EXPECT_LT(coverage.relative_width(), 1);
}

// Half of the records were drawn with a tenth of the others' probability.
TEST(PredictionPoweredCoverage, KnownProbabilitiesMayDiffer) {
  const World world = linear_world(1500, 6);
  const Coverage coverage = coverage_of(world, [&](uint64_t seed) {
    LabelledSample sample = sample_of(world);
    for (uint32_t i = 0; i < 1500; ++i) {
      const double probability = i % 2 == 0 ? 0.015 : 0.15;
      if (draw_uniform(seed, 7, i) >= probability) continue;
      label(world, i, sample);
      sample.probabilities.push_back(probability);
    }
    return sample;
  });
  expect_coverage(coverage, 0.92, 0.98);
  EXPECT_LT(coverage.relative_width(), 0.6);
  EXPECT_NEAR(coverage.powered_values.mean, world.truth(), 0.02);
}

// A metric that is wrong about 4% of the records: of 50 labels it is wrong about two, and how far
// it is off is known badly.
TEST(PredictionPoweredCoverage, RareErrorsLeaveFewDegreesOfFreedom) {
  World world;
  for (size_t i = 0; i < 1000; ++i) {
    world.labels.push_back(draw_uniform(18, 1, i) < 0.6 ? 1 : 0);
    const bool is_wrong = draw_uniform(18, 2, i) < 0.04;
    world.predictions.push_back(is_wrong ? 1 - world.labels[i] : world.labels[i]);
  }
  Coverage coverage;
  for (int d = 0; d < kDraws; ++d) {
    const LabelledSample sample = drawn(world, 50, static_cast<uint64_t>(d));
    const LabelDraw draw = draw_of(sample);
    const PoweredMean powered = powered_mean(draw, world.predictions, Slope::tuned);
    EXPECT_LT(powered.freedom, 40);  // some two errors, and 48 labels without
    EXPECT_GT(powered.standard_error, 0);
    coverage.add(powered_mean(draw, {}, Slope::none), powered, world.truth());
  }
  expect_coverage(coverage, 0.93, 0.995);
  EXPECT_LT(coverage.relative_width(), 0.6);
}

// Labels were drawn with probabilities within two strata, which differ much more than records in
// them. Estimated are all records, or those with an even number.
TEST(PredictionPoweredCoverage, ProbabilitiesWithinStrata) {
  const World world = [] {
    World of = linear_world(1000, 19);
    for (size_t i = 0; i < 1000; ++i) of.labels[i] += i < 400 ? 12 : 0;
    return of;
  }();
  for (const bool is_part : {false, true}) {
    SCOPED_TRACE(is_part);
    Moments truth;
    for (size_t i = 0; i < 1000; i += is_part ? 2 : 1) truth.add(world.labels[i]);
    Coverage coverage, without;
    for (int d = 0; d < kDraws; ++d) {
      LabelledSample sample;
      for (uint32_t i = 0; i < 1000; i += is_part ? 2 : 1) sample.records.push_back(i);
      sample.strata.resize(sample.records.size());
      sample.drawn = {20, 60};
      const auto seed = static_cast<uint64_t>(d);
      const std::vector<int64_t> first = permutation(400, seed, Purpose::bootstrap, 20),
                                 second = permutation(600, seed, Purpose::bootstrap, 21);
      for (uint32_t r = 0; r < sample.records.size(); ++r) {
        const uint32_t i = sample.records[r];
        if (i < 400 ? first[i] >= 20 : second[i - 400] >= 60) continue;
        label(world, r, sample);
        sample.strata[r] = i < 400 ? 0 : 1;
        sample.probabilities.push_back(i < 400 ? 0.05 : 0.1);
      }
      const LabelDraw draw = draw_of(sample);
      coverage.add(powered_mean(draw, {}, Slope::none),
                   powered_mean(draw, world.predictions, Slope::tuned), truth.mean);
      sample.strata.clear();
      sample.drawn.clear();
      const PoweredMean one = powered_mean(draw_of(sample), {}, Slope::none);
      without.add(one, one, truth.mean);
    }
    expect_coverage(coverage, 0.93, 0.975);
    if (!is_part) {
      EXPECT_LT(coverage.alone_width, 0.5 * without.alone_width);
    }
  }
}

// Two systems' records to the same 1,000 questions.
struct Pair {
  World world;  // the second system's records follow the first's

  LabelledSample side(size_t which, size_t n, uint64_t seed) const {
    LabelledSample sample;
    for (uint32_t q = 0; q < 1000; ++q) {
      sample.records.push_back(static_cast<uint32_t>(1000 * which) + q);
      sample.clusters.push_back(q);
    }
    label_some(world, n, 0, 1000, seed, sample);
    return sample;
  }
  double truth() const {
    const std::span<const double> labels(world.labels);
    return mean(labels.first(1000)) - mean(labels.subspan(1000));
  }
};

Coverage coverage_of_difference(const Pair& pair, size_t n, bool is_paired) {
  Coverage coverage;
  for (int d = 0; d < kDraws; ++d) {
    const auto seed = static_cast<uint64_t>(2 * d);
    const LabelledSample first = pair.side(0, n, seed);
    const LabelledSample second = pair.side(1, n, seed + (is_paired ? 0 : 1));
    const LabelDraw one = draw_of(first), other = draw_of(second);
    const LabelDraw draw = difference_of(one, other);
    coverage.add(powered_mean(draw, {}, Slope::none),
                 powered_mean(draw, pair.world.predictions, Slope::tuned), pair.truth());
  }
  return coverage;
}

Pair pair_with_common_part() {
  Pair pair;
  for (size_t i = 0; i < 2000; ++i) {
    const double own = draw_uniform(8, 1, i);
    pair.world.labels.push_back(own + 2 * draw_uniform(8, 2, i % 1000));
    pair.world.predictions.push_back(own + 0.5 * draw_uniform(8, 3, i));
  }
  return pair;
}

TEST(PredictionPoweredCoverage, DifferencesOfPairedAndOfIndependentLabelsAreCovered) {
  const Pair pair = pair_with_common_part();
  for (const bool is_paired : {true, false}) {
    for (const size_t n : {50u, 400u}) {
      SCOPED_TRACE(n);
      const Coverage coverage = coverage_of_difference(pair, n, is_paired);
      expect_coverage(coverage, 0.93, 0.97);
      EXPECT_LT(coverage.relative_width(), is_paired ? 0.6 : 1.03);
    }
  }
}

// The metric predicts each system's labels, and adds nothing to their difference but its noise.
TEST(PredictionPoweredCoverage, WhereLabelsAgreeTheirDifferenceIsNotMadeWorse) {
  Pair pair;
  for (size_t i = 0; i < 2000; ++i) {
    pair.world.labels.push_back(draw_uniform(9, 1, i % 1000) + 0.05 * draw_uniform(9, 2, i));
    pair.world.predictions.push_back(pair.world.labels[i] + 0.7 * draw_uniform(9, 3, i));
  }
  const Coverage coverage = coverage_of_difference(pair, 100, true);
  expect_coverage(coverage, 0.93, 0.97);
  EXPECT_LT(coverage.relative_width(), 1.03);
}

// Two metrics that have nothing to do with the labels.
TEST(PredictionPoweredCoverage, ACombinationOfUselessPredictionsDoesNoHarm) {
  World world = linear_world(500, 10);
  std::vector<std::vector<double>> useless(2);
  for (size_t i = 0; i < 500; ++i) {
    useless[0].push_back(draw_uniform(11, 1, i));
    useless[1].push_back(draw_uniform(11, 2, i));
  }
  for (const size_t n : {20u, 50u}) {
    Coverage coverage;
    for (int d = 0; d < kDraws; ++d) {
      const LabelledSample sample = drawn(world, n, static_cast<uint64_t>(d));
      const std::vector<double> combined =
          cross_fitted(useless, sample.labelled, sample.labels, {first_records(500), 500});
      const LabelDraw draw = draw_of(sample);
      coverage.add(powered_mean(draw, {}, Slope::none), powered_mean(draw, combined, Slope::cut),
                   world.truth());
    }
    expect_coverage(coverage, 0.925, 0.975);
    EXPECT_LT(coverage.relative_width(), 1.03);
    EXPECT_LT(coverage.powered_square, 1.05 * coverage.alone_square);
  }
}

TEST(PredictionPoweredCoverage, CorrelationsAreCorrected) {
  const World world = linear_world(600, 12);
  const double truth = *pearson(world.predictions, world.labels);
  Coverage coverage;
  for (int d = 0; d < kDraws; ++d) {
    const LabelledSample sample = drawn(world, 60, static_cast<uint64_t>(d));
    const LabelDraw draw = draw_of(sample);
    const auto alone = powered_correlation(draw, world.predictions, Slope::none);
    std::vector<double> predictions;
    for (const uint32_t record : sample.labelled) predictions.push_back(world.predictions[record]);
    EXPECT_NEAR(alone->value, *pearson(predictions, sample.labels), 1e-12);
    coverage.add(*alone, *powered_correlation(draw, world.predictions, Slope::tuned), truth);
  }
  expect_coverage(coverage, 0.92, 0.975);
  EXPECT_LT(coverage.relative_width(), 1);
  EXPECT_LT(coverage.powered_square, 0.95 * coverage.alone_square);
}

}  // namespace rubric::stats::prediction_powered_coverage_test
