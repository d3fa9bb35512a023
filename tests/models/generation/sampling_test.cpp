#include <cmath>
#include <limits>

#include "core/json/json.h"
#include "core/random.h"
#include "models/fixture.h"
#include "models/generation/generate.h"

namespace rubric::models::sampling_test {

constexpr double kNone = -std::numeric_limits<double>::infinity();

std::vector<float> numbers(const Json& row) {
  std::vector<float> values;
  for (const Json& value : row.array()) {
    values.push_back(static_cast<float>(value.is_null() ? kNone : value.number()));
  }
  return values;
}

// tests/fixtures/make_generation.py: transformers' logits processors.
TEST(Sampling, ProbabilitiesEqualTransformers) {
  const Json fixture_json = Json::parse_file(fixture("generation/sampling.json"));
  const auto& logits = fixture_json.require("logits", "sampling").array();
  int compared = 0;
  for (const Json& setting : fixture_json.require("cases", "sampling").array()) {
    SamplingOptions options;
    if (setting.find("temperature")) options.temperature = setting.find("temperature")->number();
    if (setting.find("top_k")) {
      options.top_k = static_cast<int64_t>(setting.find("top_k")->number());
    }
    if (setting.find("top_p")) options.top_p = setting.find("top_p")->number();
    const auto& expected = setting.require("probabilities", "sampling").array();
    for (size_t row = 0; row < logits.size(); ++row) {
      const std::vector<float> probabilities =
          sampling_probabilities(numbers(logits[row]), options);
      const std::vector<float> reference = numbers(expected[row]);
      ASSERT_EQ(probabilities.size(), reference.size());
      for (size_t i = 0; i < reference.size(); ++i) {
        ASSERT_NEAR(probabilities[i], reference[i], 1e-6)
            << setting.dump().substr(0, 80) << " row " << row << " token " << i;
        ASSERT_EQ(probabilities[i] == 0, reference[i] == 0);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Sampling, TokensAreDrawnAsOftenAsTheyAreProbable) {
  const std::vector<float> probabilities = {0.1f, 0, 0.6f, 0.3f};
  std::vector<int> drawn(4);
  constexpr int kDraws = 20000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    ++drawn[static_cast<size_t>(
        draw_token(probabilities, uniform(random_bits(1, Purpose::sampling, i))))];
  }
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(drawn[i] / double{kDraws}, static_cast<double>(probabilities[i]), 0.01);
  }
  EXPECT_EQ(drawn[1], 0);
}

TEST(Sampling, RoundingNeverDrawsWhatIsExcluded) {
  EXPECT_EQ(draw_token(std::vector<float>{0.5f, 0.4f, 0}, 0.99), 1);
}

// Wherever it stands, and whatever stands behind the row.
TEST(Sampling, LogitsWithOneThatIsNotFiniteAreFound) {
  for (size_t place = 0; place < 20; ++place) {
    for (const float bad : {std::nanf(""), static_cast<float>(kNone), static_cast<float>(-kNone)}) {
      std::vector<float> logits(20, -3.5f);
      EXPECT_TRUE(are_finite(logits));
      logits[place] = bad;
      EXPECT_FALSE(are_finite(logits)) << place << " " << bad;
    }
  }
}

TEST(Sampling, TheMostProbableTokenIsTheFirstOfEqualOnes) {
  EXPECT_EQ(most_probable_token(std::vector<float>{1, 3, 2, 3}), 1);
}

}  // namespace rubric::models::sampling_test
