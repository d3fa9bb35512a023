#include "models/encoders/deberta.h"

#include "core/json/json.h"
#include "messages.h"
#include "models/fixture.h"

namespace rubric::models::deberta_test {

// tests/fixtures/make_deberta.py: transformers' models on a padded batch.
struct DebertaParity : testing::TestWithParam<const char*> {};

TEST_P(DebertaParity, GradientsEqualTransformers) {
  const std::string name = GetParam();
  const auto expected = fixture_tensors("deberta/" + name.substr(0, name.find("_published")) +
                                        "/expected.safetensors");
  const at::Tensor lengths = expected.at("attention_mask").sum(1);
  const PackedTokens tokens =
      pack_padded(expected.at("input_ids"), expected.at("token_type_ids"), lengths);
  const auto packed = [&](const at::Tensor& padded) {
    std::vector<at::Tensor> rows;
    for (int64_t row = 0; row < padded.size(0); ++row) {
      rows.push_back(padded[row].narrow(0, 0, lengths[row].item<int64_t>()));
    }
    return at::cat(rows);
  };
  const auto encoder = load_encoder(fixture("deberta/" + name), {}).encoder;
  auto parameters = encoder->tensors();
  at::Tensor weight = expected.at("score_layer.weight"), bias = expected.at("score_layer.bias");
  parameters.emplace_back("score_layer.weight", weight);
  parameters.emplace_back("score_layer.bias", bias);
  for (auto& [parameter, tensor] : parameters) tensor.set_requires_grad(true);

  const at::Tensor last = encoder->hidden_states(tokens, encoder->limits().layers, {});
  const at::Tensor scores = at::linear(encoder->cls_states(tokens, {}), weight, bias).squeeze(1);
  const at::Tensor loss = (packed(expected.at("w")) * last).sum() + (scores * scores).sum();
  EXPECT_LT(difference(last, packed(expected.at("hidden_states")[-1])), 1e-5);
  EXPECT_LT(difference(scores, expected.at("scores")), 1e-5);
  EXPECT_LT(difference(loss.reshape({1}), expected.at("loss")), 1e-5);
  loss.backward();
  for (const auto& [parameter, tensor] : parameters) {
    const at::Tensor gradient =
        tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor);  // of what nothing reads
    EXPECT_LT(difference(gradient, expected.at("grad." + parameter)), 1e-5) << parameter;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DebertaParity,
                         testing::Values("v1", "v1_published", "v1_c2p", "v1_plain", "v2",
                                         "v2_published", "v2_c2p", "v2_p2c", "v2_both", "v2_none",
                                         "v2_plain", "v3"));

TEST(Deberta, BucketsEqualTransformers) {
  for (const auto& [shape, expected] : fixture_tensors("deberta/buckets.safetensors")) {
    DebertaConfig config;
    config.position_buckets = std::stoll(shape);
    config.max_relative_positions = std::stoll(shape.substr(shape.find(' ')));
    EXPECT_TRUE(at::equal(deberta_buckets(config, 2 * config.max_relative_positions),
                          expected.to(at::kLong)))
        << shape;
  }
}

TEST(Deberta, WhatItDoesNotComputeIsRefused) {
  const Json published = Json::parse_file(fixture("deberta/v2/config.json"));
  const auto refusal = [&](const char* key, const Json& value) {
    Json config = published;
    config[key] = value;
    ConfigFields fields(config, "config.json");
    return input_error([&] { read_deberta_config(fields, /*is_v1=*/false); });
  };
  expect_contains(refusal("talking_head", true), "talking_head is true");
  expect_contains(refusal("pos_att_type", "c2p|p2p"), "pos_att_type \"p2p\" is not supported");
  expect_contains(refusal("pos_att_type", "c2p|c2p"), "pos_att_type \"c2p\"");
  expect_contains(refusal("pos_att_type", Json::Array{Json(1)}), "a list of strings");
  expect_contains(refusal("norm_rel_ebd", "batch_norm"), "norm_rel_ebd \"batch_norm\"");
  expect_contains(refusal("conv_kernel_size", 4), "conv_kernel_size is 4");
  expect_contains(refusal("conv_act", "swish"), "conv_act \"swish\"");
  expect_contains(refusal("conv_groups", 2), "conv_groups");
  expect_contains(refusal("attention_head_size", 4), "num_attention_heads");
  expect_contains(refusal("position_buckets", 1), "position_buckets is 1");
  expect_contains(refusal("position_buckets", 30), "position_buckets is 30 for 14");
  expect_contains(refusal("hidden_act", "silu"), "hidden_act \"silu\"");
}

// Of each example its own, and for the embeddings of distances one of the batch.
TEST(Deberta, DropsWhatItsKeysSay) {
  const auto encoder = load_encoder(fixture("deberta/v2"), {}).encoder;
  const auto with = [&](int64_t key) {
    data::TokenBatch rows;
    rows.ids = {1, 5, 6, 2};
    rows.segments = {0, 0, 0, 0};
    rows.offsets.push_back(4);
    return encoder->hidden_states(pack(rows), 1, {at::arange(key, key + 4, at::kLong)});
  };
  Json config = Json::parse_file(fixture("deberta/v2/config.json"));
  EXPECT_TRUE(at::equal(with(7), with(7)));  // its rates are 0
  config["hidden_dropout_prob"] = 0.5;
  ConfigFields fields(config, "config.json");
  NamedTensors weights = read_safetensors(fixture("deberta/v2/model.safetensors"));
  const Deberta dropping(read_deberta_config(fields, false), [&](const ParameterSlots& slots) {
    take_parameters(slots, weights, "here");
  });
  data::TokenBatch rows;
  rows.ids = {1, 5, 6, 2};
  rows.segments = {0, 0, 0, 0};
  rows.offsets.push_back(4);
  const auto states = [&](int64_t key) {
    return dropping.hidden_states(pack(rows), 1, {at::arange(key, key + 4, at::kLong)});
  };
  EXPECT_TRUE(at::equal(states(7), states(7)));
  EXPECT_GT(difference(states(7), states(70)), 1e-2);
}

}  // namespace rubric::models::deberta_test
