#include "stats/prediction_powered.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>
#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"
#include "stats/labelled_world.h"

namespace rubric::stats::prediction_powered_test {

std::vector<double> doubles_of(const Json& json) {
  std::vector<double> values;
  for (const Json& value : json.array()) values.push_back(value.number());
  return values;
}

// A field that not every case has.
template <class Number>
std::vector<Number> numbers_in(const Json& json, const char* field) {
  std::vector<Number> numbers;
  if (json.find(field) == nullptr) return numbers;
  for (const double value : doubles_of(*json.find(field))) {
    numbers.push_back(static_cast<Number>(value));
  }
  return numbers;
}

TEST(PredictionPowered, EqualsTheAuthorsPackageAndNumpy) {
  const Json all =
      Json::parse_file(std::string(fixtures_folder()) + "/stats/prediction_powered.json");
  EXPECT_EQ(all.object().size(), 8u);
  for (const auto& [name, each] : all.object()) {
    SCOPED_TRACE(name);
    const std::vector<double> predictions = doubles_of(*each.find("predictions"));
    LabelledSample sample{first_records(predictions.size()), numbers_in<uint32_t>(each, "labelled"),
                          doubles_of(*each.find("labels")),
                          numbers_in<double>(each, "probabilities"),
                          numbers_in<uint32_t>(each, "strata")};
    if (sample.labelled.empty()) sample.labelled = first_records(sample.labels.size());
    const LabelDraw draw = draw_of(sample);
    const PoweredMean powered = powered_mean(draw, predictions, Slope::tuned);
    const PoweredMean alone = powered_mean(draw, {}, Slope::none);
    EXPECT_NEAR(powered.value, each.find("value")->number(), 1e-9);
    EXPECT_NEAR(powered.lambda, each.find("lambda")->number(), 1e-9);
    EXPECT_NEAR(powered.standard_error, each.find("standard_error")->number(), 1e-9);
    EXPECT_NEAR(alone.value, each.find("alone")->number(), 1e-9);
    EXPECT_NEAR(alone.standard_error, each.find("alone_standard_error")->number(), 1e-9);
    EXPECT_NEAR(powered.freedom, each.find("freedom")->number(), 1e-6);
    const boost::math::students_t student(each.find("freedom")->number());
    EXPECT_NEAR(powered.interval.high - powered.value,
                boost::math::quantile(student, 0.975) * powered.standard_error, 1e-9);
    EXPECT_NEAR(powered.value - powered.interval.low, powered.interval.high - powered.value, 1e-12);
  }
}

TEST(PredictionPowered, LabelsOfEveryRecordLeaveNothingToPredict) {
  const World world = linear_world(40, 13);
  const LabelledSample sample = drawn(world, 40, 0);
  const PoweredMean powered = powered_mean(draw_of(sample), world.predictions, Slope::tuned);
  EXPECT_EQ(powered.lambda, 0);
  EXPECT_NEAR(powered.value, mean(world.labels), 1e-12);
  EXPECT_EQ(powered.standard_error, 0);
  LabelledSample certain = sample;
  certain.probabilities.assign(40, 1);
  EXPECT_NEAR(powered_mean(draw_of(certain), world.predictions, Slope::tuned).value,
              mean(world.labels), 1e-12);
}

TEST(PredictionPowered, ScaleAndSignOfThePredictionsDoNotMatter) {
  World world = linear_world(200, 14);
  const LabelledSample sample = drawn(world, 40, 0);
  const LabelDraw draw = draw_of(sample);
  const PoweredMean powered = powered_mean(draw, world.predictions, Slope::tuned);
  for (double& prediction : world.predictions) prediction = 7 - 100 * prediction;
  const PoweredMean scaled = powered_mean(draw, world.predictions, Slope::tuned);
  EXPECT_NEAR(scaled.value, powered.value, 1e-9);
  EXPECT_NEAR(scaled.lambda, powered.lambda / -100, 1e-9);
  EXPECT_NEAR(scaled.standard_error, powered.standard_error, 1e-9);
}

// A power of two changes no digit: the squares of labels of 1e-200 must not vanish.
TEST(PredictionPowered, ValuesOfAnySizeGiveTheSame) {
  const World world = linear_world(200, 14);
  const LabelledSample sample = drawn(world, 40, 0);
  const PoweredMean powered = powered_mean(draw_of(sample), world.predictions, Slope::tuned);
  const auto r = powered_correlation(draw_of(sample), world.predictions, Slope::tuned);
  for (const auto& [of_labels, of_predictions] :
       {std::pair(-700, 0), {0, -700}, {-900, -300}, {-300, 230}, {230, -1000}}) {
    SCOPED_TRACE(of_labels);
    World scaled = world;
    for (double& label : scaled.labels) label = std::ldexp(label, of_labels);
    for (double& prediction : scaled.predictions)
      prediction = std::ldexp(prediction, of_predictions);
    const LabelledSample small = drawn(scaled, 40, 0);
    const PoweredMean same = powered_mean(draw_of(small), scaled.predictions, Slope::tuned);
    EXPECT_EQ(same.value, std::ldexp(powered.value, of_labels));
    EXPECT_EQ(same.standard_error, std::ldexp(powered.standard_error, of_labels));
    EXPECT_EQ(same.interval.low, std::ldexp(powered.interval.low, of_labels));
    EXPECT_EQ(same.interval.high, std::ldexp(powered.interval.high, of_labels));
    EXPECT_EQ(same.lambda, std::ldexp(powered.lambda, of_labels - of_predictions));
    EXPECT_EQ(same.influences[7].value, std::ldexp(powered.influences[7].value, of_labels));
    EXPECT_EQ(same.freedom, powered.freedom);
    EXPECT_EQ(same.p, powered.p);
    const auto same_r = powered_correlation(draw_of(small), scaled.predictions, Slope::tuned);
    EXPECT_EQ(same_r->value, r->value);
    EXPECT_EQ(same_r->interval.low, r->interval.low);
  }
}

// Records of two systems, the first 200 and the next 200.
PoweredMean difference_of_halves(const World& world, Slope slope) {
  std::vector<LabelledSample> samples(2);
  for (uint32_t i = 0; i < 400; ++i) {
    samples[i / 200].records.push_back(i);
    samples[i / 200].clusters.push_back(i % 200);
  }
  for (LabelledSample& sample : samples) label_some(world, 40, 0, 200, 0, sample);
  const LabelDraw first = draw_of(samples[0]), second = draw_of(samples[1]);
  return powered_mean(difference_of(first, second), world.predictions, slope);
}

// The tiny labels of one system are 0 beside those of the other: no square of these overflows.
TEST(PredictionPowered, TheSidesOfADifferenceHaveOneScale) {
  const World world = linear_world(400, 14);
  for (const Slope slope : {Slope::none, Slope::tuned, Slope::cut}) {
    for (const size_t far : {0u, 200u}) {
      World zero = world, scaled = world;
      std::fill_n(zero.labels.begin() + static_cast<ptrdiff_t>(far), 200, 0);
      for (size_t i = far; i < far + 200; ++i) scaled.labels[i] = std::ldexp(world.labels[i], -700);
      const PoweredMean expected = difference_of_halves(zero, slope);
      for (const int exponent : {0, 700}) {
        SCOPED_TRACE(exponent);
        World of = scaled;
        for (double& each : of.labels) each = std::ldexp(each, exponent);
        if (slope == Slope::cut) {
          for (double& each : of.predictions) each = std::ldexp(each, exponent);
        }
        const PoweredMean mean = difference_of_halves(of, slope);
        EXPECT_EQ(mean.value, std::ldexp(expected.value, exponent));
        EXPECT_EQ(mean.standard_error, std::ldexp(expected.standard_error, exponent));
        EXPECT_EQ(mean.interval.low, std::ldexp(expected.interval.low, exponent));
        EXPECT_EQ(mean.p, expected.p);
      }
    }
  }
}

// Predictions of another system have no part in the scale.
TEST(PredictionPowered, PredictionsOfOtherRecordsChangeNothing) {
  World world = linear_world(400, 14);
  LabelledSample sample;
  sample.records = first_records(200);
  label_some(world, 40, 0, 200, 0, sample);
  const PoweredMean expected = powered_mean(draw_of(sample), world.predictions, Slope::tuned);
  ASSERT_GT(expected.lambda, 0.1);
  for (size_t i = 200; i < 400; ++i) world.predictions[i] = std::ldexp(world.predictions[i], 700);
  EXPECT_EQ(powered_mean(draw_of(sample), world.predictions, Slope::tuned).standard_error,
            expected.standard_error);
}

// Beside labelled ones of 1e-200 the squares of others would be infinite.
TEST(PredictionPowered, ACorrelationBesideFarPredictionsIsUndefined) {
  const World world = linear_world(200, 14);
  const LabelledSample sample = drawn(world, 40, 0);
  std::vector<double> predictions = world.predictions;
  for (const uint32_t record : sample.labelled) {
    predictions[sample.records[record]] = std::ldexp(predictions[sample.records[record]], -700);
  }
  EXPECT_EQ(powered_correlation(draw_of(sample), predictions, Slope::tuned), std::nullopt);
  EXPECT_TRUE(powered_correlation(draw_of(sample), predictions, Slope::none));
  EXPECT_TRUE(
      std::isfinite(powered_mean(draw_of(sample), predictions, Slope::tuned).standard_error));
}

TEST(PredictionPowered, ConstantPredictionsSayNothing) {
  World world = linear_world(200, 15);
  LabelledSample sample = drawn(world, 40, 0);
  world.predictions.assign(200, 0.1);
  const LabelDraw draw = draw_of(sample);
  EXPECT_EQ(powered_mean(draw, world.predictions, Slope::tuned).lambda, 0);
  EXPECT_NEAR(powered_mean(draw, world.predictions, Slope::tuned).value, mean(sample.labels),
              1e-12);
  EXPECT_FALSE(powered_correlation(draw, world.predictions, Slope::tuned));
  // Constant in each stratum, in numbers that are rounded.
  for (uint32_t i = 0; i < 200; ++i) {
    sample.strata.push_back(i % 3);
    world.predictions[i] = 0.1 * (i % 3) + 0.7;
  }
  EXPECT_EQ(powered_mean(draw_of(sample), world.predictions, Slope::tuned).lambda, 0);
}

// Right about all of 40 labels, half of them 1: as if wrong about one by 1/2, the labels'
// deviation, which the 40 labels' mean moves by 1/80. The finite sample of 400 takes a tenth of the
// variance.
TEST(PredictionPowered, PredictionsThatAreAlwaysRightMayBeWrongElsewhere) {
  World world;
  for (size_t i = 0; i < 400; ++i) world.labels.push_back(i % 2 == 0 ? 1 : 0);
  world.predictions = world.labels;
  LabelledSample sample = sample_of(world);
  for (uint32_t i = 0; i < 40; ++i) label(world, i, sample);
  const PoweredMean powered = powered_mean(draw_of(sample), world.predictions, Slope::tuned);
  EXPECT_NEAR(powered.value, 0.5, 1e-12);
  EXPECT_NEAR(powered.standard_error, std::sqrt(0.9 * 40 / 39) / 80, 1e-12);
  EXPECT_NEAR(powered.freedom, 2.0 * 40 / 39, 1e-9);
}

TEST(PredictionPowered, InfluencesAddUpToTheError) {
  const World world = clustered_world();
  const LabelledSample sample = drawn(world, 300, 0);
  const PoweredMean powered = powered_mean(draw_of(sample), world.predictions, Slope::tuned);
  double squares = 0;
  uint32_t last = 0;
  for (const auto& [cluster, value] : powered.influences) {
    squares += value * value;
    EXPECT_TRUE(cluster > last || squares == value * value);
    last = cluster;
  }
  EXPECT_NEAR(std::sqrt(squares), powered.standard_error, 1e-12);
}

TEST(PredictionPowered, EqualProbabilitiesAreNone) {
  const World world = linear_world(300, 16);
  LabelledSample sample = drawn(world, 60, 0);
  const LabelDraw without = draw_of(sample);
  const PoweredMean alike = powered_mean(without, world.predictions, Slope::tuned);
  const PoweredMean alone = powered_mean(without, {}, Slope::none);
  sample.probabilities.assign(60, 0.2);
  const LabelDraw with = draw_of(sample);
  EXPECT_NEAR(powered_mean(with, {}, Slope::none).value, alone.value, 1e-12);
  // The correction for unequal weights is that of the jackknife, 60 / 59 in place of its root.
  EXPECT_NEAR(powered_mean(with, {}, Slope::none).standard_error,
              alone.standard_error * std::sqrt(60.0 / 59), 1e-12);
  const PoweredMean powered = powered_mean(with, world.predictions, Slope::tuned);
  // Of known probabilities lambda is by the variance of labelled predictions, else of all.
  Moments all, labelled;
  for (const double prediction : world.predictions) all.add(prediction);
  for (const uint32_t record : sample.labelled) labelled.add(world.predictions[record]);
  EXPECT_NEAR(powered.lambda * (labelled.squares / 60), alike.lambda * (all.squares / 299), 1e-9);
}

TEST(PredictionPowered, LabelsAloneHaveStudentsInterval) {
  World world{{1, 5, 1, 5, 1, 5, 1, 5, 3, 3}, {}};
  const MeanInterval expected = mean_interval(world.labels);
  world.labels.resize(1'000'000);  // of so many, ten hardly are a part
  LabelledSample sample = sample_of(world);
  for (uint32_t i = 0; i < 10; ++i) label(world, i, sample);
  const PoweredMean alone = powered_mean(draw_of(sample), {}, Slope::none);
  EXPECT_NEAR(alone.interval.low, expected.low, 1e-4);
  EXPECT_NEAR(alone.interval.high, expected.high, 1e-4);
  // p is where the interval begins to hold 0.
  EXPECT_LT(alone.p, 0.05);
  EXPECT_GT(alone.interval.low, 0);
}

TEST(PredictionPowered, OneClusterHasNoError) {
  const World world = linear_world(20, 17);
  LabelledSample sample = drawn(world, 5, 0);
  sample.clusters.assign(20, 0);
  EXPECT_EQ(draw_of(sample).freedom, 0);
  sample.clusters.clear();
  EXPECT_NEAR(draw_of(sample).freedom, 4, 1e-12);
}

}  // namespace rubric::stats::prediction_powered_test
