#include "metrics/neural/lerc_model.h"

#include "messages.h"
#include "metrics/neural/fixture_answers.h"
#include "paths.h"

namespace rubric::metrics::lerc_model_test {

TEST(LoadLerc, AnEncoderAloneIsRefused) {
  const std::string told = input_error([] { load_lerc(minilm_folder()); });
  expect_contains(told, "the model has no score head (score_layer.weight): it is an encoder");
  expect_contains(
      told, "rubric train --config lerc_ad.yaml --set model.name=" + std::string(minilm_folder()));
}

TEST(StartLerc, TheHeadDependsOnTheSeedAlone) {
  const LercModel a = start_lerc(minilm_folder(), 1), b = start_lerc(minilm_folder(), 1);
  EXPECT_TRUE(at::equal(a.score_layer.weight, b.score_layer.weight));
  EXPECT_FALSE(at::equal(a.score_layer.weight, start_lerc(minilm_folder(), 2).score_layer.weight));
  const double bound = 1 / std::sqrt(384.0);
  EXPECT_LE(a.score_layer.weight.abs().max().item<double>(), bound);
  EXPECT_GT(a.score_layer.weight.abs().max().item<double>(), 0.9 * bound);
}

}  // namespace rubric::metrics::lerc_model_test
