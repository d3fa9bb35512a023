#include "stats/pairwise_accuracy.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/context.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/random.h"
#include "paths.h"

namespace rubric::stats::pairwise_accuracy_test {

std::vector<double> values_in(const Json& array) {
  std::vector<double> values;
  for (const Json& value : array.array()) values.push_back(value.number());
  return values;
}

Clusters one_item(size_t n) {
  return {std::vector<uint32_t>(n), 1};
}

// By its definition, over pairs of different records that were drawn as often as `counts` says.
double accuracy_of(const std::vector<double>& human, const std::vector<double>& metric,
                   double epsilon, const std::vector<uint32_t>& counts) {
  const auto sign = [](double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
  double right = 0, pairs = 0;
  for (size_t i = 0; i < human.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double difference = metric[i] - metric[j], weight = counts[i] * counts[j];
      const int order = std::abs(difference) <= epsilon ? 0 : sign(difference);
      right += order == sign(human[i] - human[j]) ? weight : 0;
      pairs += weight;
    }
  }
  return right / pairs;
}

TEST(PairwiseAccuracy, EqualsMtMetricsEval) {
  const Json all =
      Json::parse_file(std::string(fixtures_folder()) + "/binary_agreement/pairs.json");
  EXPECT_EQ(all.array().size(), 11u);
  for (const Json& each : all.array()) {
    SCOPED_TRACE(each.find("name")->string());
    const std::vector<double> human = values_in(*each.find("human")),
                              metric = values_in(*each.find("metric"));
    const Clusters items = clusters_by(values_in(*each.find("items")));
    const PairwiseAccuracy accuracy(human, metric, items, 0);
    ASSERT_EQ(accuracy.value().has_value(), each.find("value")->is_number());
    EXPECT_EQ(accuracy.by_item().size(), items.count);
    if (!accuracy.value()) continue;
    EXPECT_NEAR(*accuracy.value(), each.find("value")->number(), 1e-12);
    EXPECT_DOUBLE_EQ(accuracy.epsilon(), each.find("epsilon")->number());
    double sum = 0, with_pairs = 0;
    for (const std::optional<double>& value : accuracy.by_item()) {
      sum += value.value_or(0);
      with_pairs += value ? 1 : 0;
    }
    EXPECT_NEAR(*accuracy.value(), sum / with_pairs, 1e-12);
  }
}

struct Compared {
  std::vector<double> human, metric;
};

// A metric that follows labels of `levels` values.
Compared compared_of(size_t n, int levels) {
  Compared compared;
  for (size_t i = 0; i < n; ++i) {
    const double quality = uniform(random_bits(1, Purpose::shuffle, i)),
                 noise = uniform(random_bits(2, Purpose::shuffle, i));
    compared.human.push_back(std::floor(levels * quality));
    compared.metric.push_back(quality + 0.3 * noise);
  }
  return compared;
}

// With too many pairs to sort them epsilon is nearly the best, and the accuracy that of all pairs.
TEST(PairwiseAccuracy, TriesDrawnDifferencesOfManyPairs) {
  const Compared many = compared_of(1000, 3);
  const PairwiseAccuracy accuracy(many.human, many.metric, one_item(1000), 0);
  const std::vector<uint32_t> once(1000, 1);
  EXPECT_EQ(accuracy.pairs(), 1000 * 999 / 2);
  EXPECT_GT(static_cast<size_t>(accuracy.pairs()), PairwiseAccuracy::kMostPairs);
  EXPECT_NEAR(*accuracy.value(), accuracy_of(many.human, many.metric, accuracy.epsilon(), once),
              1e-12);
  double best = 0;
  for (double epsilon = 0; epsilon < 1.3; epsilon += 0.05) {
    best = std::max(best, accuracy_of(many.human, many.metric, epsilon, once));
  }
  EXPECT_GT(accuracy.epsilon(), 0);
  EXPECT_GE(*accuracy.value(), best - 1e-3);
  // The draws are a function of the seed.
  EXPECT_EQ(PairwiseAccuracy(many.human, many.metric, one_item(1000), 0).epsilon(),
            accuracy.epsilon());
  EXPECT_NE(PairwiseAccuracy(many.human, many.metric, one_item(1000), 1).epsilon(),
            accuracy.epsilon());
}

TEST(PairwiseAccuracy, EndsOnRequestWhileItTriesDifferences) {
  const Compared many = compared_of(1000, 3);
  Context context;
  CancellationSource source;
  context.cancellation = source.token();
  source.cancel();
  const ContextScope scope(context);
  EXPECT_THROW(PairwiseAccuracy(many.human, many.metric, one_item(1000), 0), Interrupted);
}

TEST(PairwiseAccuracy, OfAResampleHasNoPairOfARecordWithItself) {
  for (const int levels : {2, 5, 40}) {
    Compared compared = compared_of(40, levels);
    for (size_t i = 0; i < 20; ++i) compared.metric[i] = std::round(5 * compared.metric[i]) / 5;
    const PairwiseAccuracy accuracy(compared.human, compared.metric, one_item(40), 0);
    visit_resamples(40, {.resamples = 20}, 0, [&](size_t, Counts counts) {
      const std::vector<uint32_t> drawn(counts.begin(), counts.end());
      EXPECT_NEAR(*accuracy.resampled(counts, pairs_with_themselves(counts)),
                  accuracy_of(compared.human, compared.metric, accuracy.epsilon(), drawn), 1e-12);
    });
    std::vector<uint32_t> same(40);
    same[3] = 40;
    EXPECT_FALSE(accuracy.resampled(same, pairs_with_themselves(same)));
  }
}

TEST(PairwiseAccuracy, IsUndefinedWithoutAPair) {
  const std::vector<double> one = {1};
  EXPECT_FALSE(PairwiseAccuracy(one, one, one_item(1), 0).value());
  EXPECT_FALSE(PairwiseAccuracy({}, {}, {}, 0).value());
  EXPECT_THROW(PairwiseAccuracy(one, {}, one_item(1), 0), Error);
}

}  // namespace rubric::stats::pairwise_accuracy_test
