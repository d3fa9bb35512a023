#include "stats/prediction_powered.h"

#include <cmath>
#include <numeric>

#include <boost/math/distributions/normal.hpp>
#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/random.h"
#include "paths.h"
#include "stats/correlation.h"

namespace rubric::stats {
namespace {

std::vector<double> doubles_of(const Json& json) {
  std::vector<double> values;
  for (const Json& value : json.array()) values.push_back(value.number());
  return values;
}

std::vector<uint32_t> first_records(size_t n) {
  std::vector<uint32_t> records(n);
  std::iota(records.begin(), records.end(), 0U);
  return records;
}

double standard_error(const PoweredMean& estimate) {
  double squares = 0;
  for (const double influence : estimate.influence) squares += influence * influence;
  return std::sqrt(squares);
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(PredictionPowered, EqualsTheAuthorsPackage) {
  const Json all =
      Json::parse_file(std::string(fixtures_folder()) + "/stats/prediction_powered.json");
  EXPECT_EQ(all.object().size(), 6u);
  const double z = boost::math::quantile(boost::math::normal(), 0.95);
  for (const auto& [name, each] : all.object()) {
    SCOPED_TRACE(name);
    LabelledSample sample{
        doubles_of(*each.find("predictions")), {}, doubles_of(*each.find("labels"))};
    sample.labelled = first_records(sample.labels.size());
    const auto expect_interval = [&](const PoweredMean& ours, const char* key) {
      const std::vector<double> ends = doubles_of(*each.find(key));
      EXPECT_NEAR(ours.value - z * standard_error(ours), ends[0], 1e-9);
      EXPECT_NEAR(ours.value + z * standard_error(ours), ends[1], 1e-9);
    };
    const PoweredMean powered = powered_mean(sample), alone = powered_mean(sample, 0);
    EXPECT_NEAR(powered.value, each.find("value")->number(), 1e-9);
    EXPECT_NEAR(powered.lambda, each.find("lambda")->number(), 1e-9);
    EXPECT_NEAR(alone.value, each.find("alone")->number(), 1e-9);
    expect_interval(powered, "interval90");
    expect_interval(alone, "alone_interval90");
    EXPECT_NEAR(powered_mean(sample, powered.lambda).value, powered.value, 1e-12);
  }
}

// Records whose labels are known by how they are made: label = prediction / 2 + noise.
struct Made {
  LabelledSample sample;
  std::vector<double> labels;  // of all records
};

Made made(size_t records, uint64_t seed) {
  Made all;
  const auto draw = [&](uint64_t what, size_t i) {
    return uniform(random_bits(seed, Purpose::bootstrap, what, i));
  };
  for (size_t i = 0; i < records; ++i) {
    all.sample.predictions.push_back(10 * draw(1, i));
    all.labels.push_back(all.sample.predictions.back() / 2 + 2 * draw(2, i));
  }
  return all;
}

void label(Made& all, size_t record) {
  all.sample.labelled.push_back(static_cast<uint32_t>(record));
  all.sample.labels.push_back(all.labels[record]);
}

TEST(PredictionPowered, LabelsOfEveryRecordLeaveNothingToPredict) {
  Made all = made(30, 1);
  for (size_t i = 0; i < 30; ++i) label(all, i);
  const PoweredMean powered = powered_mean(all.sample);
  EXPECT_EQ(powered.lambda, 0);
  EXPECT_NEAR(powered.value, mean(all.labels), 1e-12);
}

TEST(PredictionPowered, ScaleAndSignOfThePredictionsDoNotMatter) {
  Made all = made(200, 2);
  for (size_t i = 0; i < 40; ++i) label(all, i);
  const PoweredMean powered = powered_mean(all.sample);
  for (double& prediction : all.sample.predictions) prediction = 7 - 100 * prediction;
  const PoweredMean scaled = powered_mean(all.sample);
  EXPECT_NEAR(scaled.value, powered.value, 1e-9);
  EXPECT_NEAR(scaled.lambda, powered.lambda / -100, 1e-9);
  EXPECT_NEAR(standard_error(scaled), standard_error(powered), 1e-9);
}

TEST(PredictionPowered, ConstantPredictionsSayNothing) {
  Made all = made(200, 3);
  for (size_t i = 0; i < 40; ++i) label(all, i);
  for (double& prediction : all.sample.predictions) prediction = 0.1;
  EXPECT_EQ(powered_mean(all.sample).lambda, 0);
  EXPECT_NEAR(powered_mean(all.sample).value, mean(all.sample.labels), 1e-12);
  EXPECT_FALSE(powered_correlation(all.sample));
}

// Over many draws of labels from the same records the mean of the estimates is that of the labels,
// and their spread is what the influences say, though one half is labelled four times as often.
void expect_unbiased(bool with_strata) {
  constexpr size_t kRecords = 400;
  constexpr uint64_t kDraws = 400;
  Moments estimates, errors;
  double truth = 0;
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    Made all = made(kRecords, 100 + draw);
    truth += mean(all.labels) / kDraws;
    for (size_t i = 0; i < kRecords; ++i) {
      const bool is_high = all.labels[i] > 3.5;  // what is drawn depends on the label
      const double probability = is_high ? 0.4 : 0.1;
      if (with_strata) all.sample.strata.push_back(is_high ? 1 : 0);
      if (uniform(random_bits(draw, Purpose::bootstrap, 9, i)) >= probability) continue;
      label(all, i);
      if (!with_strata) all.sample.probabilities.push_back(probability);
    }
    const PoweredMean estimate = powered_mean(all.sample);
    estimates.add(estimate.value);
    errors.add(standard_error(estimate));
  }
  const double spread = std::sqrt(estimates.squares / (kDraws - 1));
  EXPECT_NEAR(estimates.mean, truth, 4 * spread / std::sqrt(kDraws));
  EXPECT_NEAR(errors.mean, spread, 0.12 * spread);
}

TEST(PredictionPowered, IsUnbiasedForLabelsWithKnownProbabilities) {
  expect_unbiased(false);
}

TEST(PredictionPowered, IsUnbiasedForLabelsInStrata) {
  expect_unbiased(true);
}

TEST(PredictionPowered, ACorrelationIsThatOfTheLabelledRecordsButForItsError) {
  constexpr uint64_t kDraws = 300;
  Moments alone, powered, errors;
  double truth = 0;
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    Made all = made(600, 1000 + draw);
    truth += *pearson(all.sample.predictions, all.labels) / kDraws;
    for (size_t i = 0; i < 60; ++i) label(all, i);
    const std::vector<double> of_labelled(all.sample.predictions.begin(),
                                          all.sample.predictions.begin() + 60);
    const double labels_alone = powered_correlation(all.sample, 0)->value;
    EXPECT_NEAR(labels_alone, *pearson(of_labelled, all.sample.labels), 1e-12);
    alone.add(labels_alone);
    const PoweredMean estimate = *powered_correlation(all.sample);
    powered.add(estimate.value);
    errors.add(standard_error(estimate));
  }
  const double spread = std::sqrt(powered.squares / (kDraws - 1));
  EXPECT_LT(spread, std::sqrt(alone.squares / (kDraws - 1)));
  EXPECT_NEAR(powered.mean, truth, 0.01);
  EXPECT_NEAR(errors.mean, spread, 0.15 * spread);
}

TEST(PredictionPowered, InfluencesAddUpToNothing) {
  Made all = made(100, 5);
  for (size_t i = 0; i < 100; i += 3) label(all, i);
  EXPECT_NEAR(sum(powered_mean(all.sample).influence), 0, 1e-12);
  all.sample.probabilities.assign(all.sample.labels.size(), 0.25);
  EXPECT_NEAR(sum(powered_mean(all.sample).influence), 0, 1e-12);
}

TEST(PredictionPowered, EqualProbabilitiesAreNone) {
  Made all = made(300, 6);
  for (size_t i = 0; i < 300; i += 5) label(all, i);
  const PoweredMean alike = powered_mean(all.sample, 0.3);
  all.sample.probabilities.assign(all.sample.labels.size(), 0.2);
  EXPECT_NEAR(powered_mean(all.sample, 0.3).value, alike.value, 1e-12);
}

TEST(PredictionPowered, IntervalsAreStudents) {
  // Ten values with standard deviation 2 (of n - 1): standard error 2 / sqrt(10).
  const std::vector<double> values = {1, 5, 1, 5, 1, 5, 1, 5, 3, 3};
  LabelledSample sample{std::vector<double>(10, 0.0), first_records(10), values};
  const auto error = error_of(3, powered_mean(sample).influence, 10);
  const MeanInterval expected = mean_interval(values);
  ASSERT_TRUE(error);
  EXPECT_NEAR(error->interval.low, expected.low, 1e-12);
  EXPECT_NEAR(error->interval.high, expected.high, 1e-12);
  EXPECT_FALSE(error_of(3, {}, 1));
  // Each of two strata takes a degree of freedom.
  const auto of_strata = error_of(3, powered_mean(sample).influence, 10, 2);
  EXPECT_NEAR(of_strata->standard_error, error->standard_error * std::sqrt(9.0 / 8), 1e-12);
  EXPECT_FALSE(error_of(3, {}, 2, 2));
}

}  // namespace
}  // namespace rubric::stats
