#include "models/architecture.h"

#include "models/causal/gpt2.h"
#include "models/fixture.h"
#include "models/seq2seq/t5.h"
#include "models/sequence_model.h"

namespace rubric::models::architecture_test {

double deviation(const at::Tensor& values) {
  return values.std().item<double>();
}

// The numbers of transformers' _init_weights, T5 with factor 1.
TEST(InitialWeights, DeviationsAreTransformers) {
  T5Config t5;
  t5.d_model = 64;
  t5.d_kv = 4;
  t5.num_heads = 4;
  t5.d_ff = 100;
  const std::string attention = "decoder.block.1.layer.0.SelfAttention.";
  EXPECT_DOUBLE_EQ(t5_deviation(t5, "shared.weight"), 1);
  EXPECT_DOUBLE_EQ(t5_deviation(t5, attention + "q.weight"), 1 / std::sqrt(64 * 4.0));
  EXPECT_DOUBLE_EQ(t5_deviation(t5, attention + "k.weight"), 1 / 8.0);
  EXPECT_DOUBLE_EQ(t5_deviation(t5, attention + "v.weight"), 1 / 8.0);
  EXPECT_DOUBLE_EQ(t5_deviation(t5, attention + "o.weight"), 1 / 4.0);
  EXPECT_DOUBLE_EQ(t5_deviation(t5, attention + "relative_attention_bias.weight"), 1 / 8.0);
  EXPECT_DOUBLE_EQ(t5_deviation(t5, "encoder.block.0.layer.1.DenseReluDense.wi_0.weight"), 1 / 8.0);
  EXPECT_DOUBLE_EQ(t5_deviation(t5, "encoder.block.0.layer.1.DenseReluDense.wo.weight"), 0.1);
  Gpt2Config gpt2;
  gpt2.n_layer = 8;
  EXPECT_DOUBLE_EQ(gpt2_deviation(gpt2, "transformer.wte.weight"), 0.02);
  EXPECT_DOUBLE_EQ(gpt2_deviation(gpt2, "transformer.h.0.mlp.c_proj.weight"), 0.02 / 4);
}

TEST(InitialWeights, AreNormalAndAFunctionOfSeedAndName) {
  at::Tensor weight, other, again, of_seed;
  LayerNorm norm;
  const auto one = [](const std::string&) { return 0.5; };
  ParameterSlots slots = {{"a.weight", &weight, {300, 200}}, {"b.weight", &other, {300, 200}}};
  add_norm(slots, "a.layer_norm", norm, 3);
  initialize_parameters(slots, 1, one);
  EXPECT_NEAR(deviation(weight), 0.5, 0.005);
  EXPECT_NEAR(weight.mean().item<double>(), 0, 0.01);
  // 68.27% of a normal distribution lie within a standard deviation, 95.45% within two.
  EXPECT_NEAR(weight.abs().lt(0.5).to(at::kFloat).mean().item<double>(), 0.6827, 0.01);
  EXPECT_NEAR(weight.abs().lt(1.0).to(at::kFloat).mean().item<double>(), 0.9545, 0.005);
  EXPECT_LT(std::abs((weight * other).mean().item<double>()), 0.005);  // independent
  EXPECT_TRUE(at::equal(norm.weight, at::ones({3})));
  EXPECT_TRUE(at::equal(norm.bias, at::zeros({3})));
  const TwoThreads two;
  initialize_parameters({{"a.weight", &again, {300, 200}}}, 1, one);
  initialize_parameters({{"a.weight", &of_seed, {300, 200}}}, 2, one);
  EXPECT_TRUE(at::equal(again, weight));
  EXPECT_LT(std::abs((weight * of_seed).mean().item<double>()), 0.005);
}

// As transformers' _init_weights has it for these models.
TEST(InitialWeights, NormsAreOnesAndBiasesZeros) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(fixture("seq2seq"))) {
    if (!std::filesystem::exists(entry.path() / "config.json")) continue;
    const auto model = new_sequence_model(entry.path(), 1);
    for (const auto& [name, tensor] : model->tensors()) {
      const bool is_norm =
          name.find("norm") != std::string::npos || name.find(".ln_") != std::string::npos;
      if (name.ends_with("bias")) {
        EXPECT_TRUE(at::equal(tensor, at::zeros_like(tensor))) << entry.path() << name;
      } else if (is_norm) {
        EXPECT_TRUE(at::equal(tensor, at::ones_like(tensor))) << entry.path() << name;
      } else {
        EXPECT_GT(deviation(tensor), 0) << entry.path() << name;
      }
    }
    ++models;
  }
  EXPECT_EQ(models, 12);
}

TEST(InitialWeights, NewRowsLieAtTheMeanOfTheOthers) {
  at::manual_seed(1);
  const at::Tensor table = at::randn({400, 8}) + at::arange(8);
  const at::Tensor grown = resized_embedding(table, 600, 3);
  EXPECT_TRUE(at::equal(grown.narrow(0, 0, 400), table));
  const at::Tensor added = grown.narrow(0, 400, 200) - table.mean(0);
  // Of variance 1e-9, as far as a float of up to 8 shows it.
  EXPECT_LT(added.abs().max().item<double>(), 2e-4);
  EXPECT_NEAR(deviation(added.narrow(1, 0, 1)), std::sqrt(1e-9), 1e-5);
  EXPECT_TRUE(at::equal(resized_embedding(table, 600, 3), grown));
  EXPECT_FALSE(at::equal(resized_embedding(table, 600, 4), grown));
}

}  // namespace rubric::models::architecture_test
