#include "models/causal/llama.h"

#include "core/files/files.h"
#include "messages.h"
#include "models/fixture.h"

namespace rubric::models::llama_test {

// A fixture's configuration with other values for some keys.
LlamaConfig config_with(const std::string& name, const std::string& changes) {
  Json config = Json::parse_file(fixture("decoders/" + name + "/config.json"));
  for (const auto& [key, value] : Json::parse(changes, "changes").object()) config[key] = value;
  ConfigFields fields(std::move(config), "config.json");
  return read_llama_config(fields);
}

// What is not implemented is named with its value, wherever it stands.
TEST(LlamaConfig, WhatIsNotImplementedIsRefusedByKeyAndValue) {
  const auto refusal = [](const char* name, const char* changes) {
    return input_error([&] { config_with(name, changes); });
  };
  expect_says(refusal("llama", R"({"hidden_act": "swish2"})"), {"hidden_act", "swish2"});
  expect_says(refusal("llama", R"({"rope_scaling": {"rope_type": "mrope", "factor": 2}})"),
              {"rope_scaling", "rope_type", "mrope"});
  expect_says(refusal("llama", R"({"rope_scaling": {"type": "linear", "factor": 2, "alpha": 3}})"),
              {"rope_scaling", "alpha", "3"});
  expect_says(refusal("llama", R"({"rope_scaling": {"type": "linear"}})"), {"factor", "missing"});
  expect_says(refusal("llama", R"({"rope_scaling": {"type": "linear", "factor": -2}})"),
              {"factor", "-2"});
  expect_says(refusal("llama", R"({"rope_interleaved": true})"), {"rope_interleaved", "true"});
  expect_says(refusal("llama", R"({"quantization_config": {"bits": 4}})"),
              {"quantization_config", "bits"});
  expect_says(refusal("llama", R"({"num_key_value_heads": 3})"), {"num_key_value_heads"});
  expect_says(refusal("llama", R"({"partial_rotary_factor": 0.5})"), {"turned"});
  expect_says(refusal("qwen2", R"({"layer_types": ["full_attention", "chunked_attention"]})"),
              {"layer_types", "chunked_attention"});
  // The versions of transformers take another of the two.
  expect_says(refusal("llama", R"({"original_max_position_embeddings": 64, "rope_scaling": {
                      "type": "yarn", "factor": 2, "original_max_position_embeddings": 32}})"),
              {"original_max_position_embeddings is 64", "has 32"});
  expect_says(refusal("qwen2", R"({"layer_types": ["full_attention"]})"), {"layer_types", "not 2"});
  expect_says(refusal("phi3_longrope", R"({"rope_scaling": {"type": "longrope",
                       "short_factor": [1, 2, 3], "long_factor": [1, 2]}})"),
              {"short_factor", "3 elements, not 2"});
  expect_says(refusal("gemma3", R"({"final_logit_softcapping": 30.0})"),
              {"final_logit_softcapping", "30"});
  expect_says(refusal("gemma3", R"({"use_bidirectional_attention": true})"),
              {"use_bidirectional_attention"});
  expect_says(refusal("llama", R"({"rope_parameters": {"rope_type": "default", "rope_theta": 5},
                                   "rope_scaling": {"type": "linear", "factor": 2}})"),
              {"rope_scaling", "linear"});
  expect_says(refusal("gemma3", R"({"rope_parameters": {"factor": 8,
                                    "full_attention": {"rope_type": "default"}}})"),
              {"rope_parameters", "factor 8"});
}

// As Qwen2Config and MistralConfig of transformers 4.57.6.
TEST(LlamaConfig, NullIsNoMissingField) {
  for (const auto& layer :
       config_with("qwen2", R"({"use_sliding_window": true, "sliding_window": null,
                                "max_window_layers": 0, "layer_types": null})")
           .layers) {
    EXPECT_FALSE(layer.window.has_value());
  }
  const LlamaConfig mistral = config_with("mistral", R"({"num_key_value_heads": null})");
  EXPECT_EQ(mistral.num_key_value_heads, mistral.num_attention_heads);
}

// Of each layer the window and which positions it has.
std::vector<std::pair<int64_t, bool>> layers_of(const LlamaConfig& config) {
  std::vector<std::pair<int64_t, bool>> layers;
  for (const LlamaAttention& layer : config.layers) {
    layers.emplace_back(layer.window.value_or(-1), layer.is_local);
  }
  return layers;
}

TEST(LlamaConfig, LayersHaveTheWindowsOfTheirKind) {
  using Layers = std::vector<std::pair<int64_t, bool>>;
  EXPECT_EQ(layers_of(config_with("mistral", "{}")), (Layers{{4, false}}));
  EXPECT_EQ(layers_of(config_with("mistral", R"({"sliding_window": null})")),
            (Layers{{-1, false}}));
  EXPECT_EQ(layers_of(config_with("qwen2", "{}")), (Layers{{-1, false}, {3, false}}));
  EXPECT_EQ(layers_of(config_with("qwen2", R"({"use_sliding_window": false})")),
            (Layers{{-1, false}, {-1, false}}));
  EXPECT_EQ(layers_of(config_with("gemma3", "{}")), (Layers{{3, true}, {-1, false}}));
  EXPECT_EQ(layers_of(config_with("gemma3", R"({"num_hidden_layers": 4, "layer_types": null,
                                                 "sliding_window_pattern": 3})")),
            (Layers{{3, true}, {3, true}, {-1, false}, {3, true}}));
}

// transformers 5 writes the base into rope_parameters, for Gemma 3 one for each kind of layer.
TEST(LlamaConfig, TheFormOfTransformers5SaysTheSame) {
  const LlamaConfig llama = config_with("llama3", "{}");
  const LlamaConfig again =
      config_with("llama3", R"({"rope_scaling": null, "rope_theta": null, "rope_parameters": {
                    "rope_theta": 10000.0, "rope_type": "llama3", "factor": 8.0,
                    "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                    "original_max_position_embeddings": 32}})");
  const Offsets offsets = {0, 40};
  const auto expect_same = [&](const RotarySettings& a, const RotarySettings& b) {
    EXPECT_TRUE(at::equal(Rotary(a).angles(offsets).sines, Rotary(b).angles(offsets).sines));
  };
  expect_same(llama.rotary, again.rotary);
  const LlamaConfig gemma = config_with("gemma3", "{}");
  const LlamaConfig gemma5 = config_with(
      "gemma3", R"({"rope_scaling": null, "rope_theta": null, "rope_local_base_freq": null,
                    "rope_parameters": {
                      "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
                      "full_attention": {"rope_type": "linear", "factor": 2.0,
                                         "rope_theta": 1000000.0}}})");
  expect_same(gemma.rotary, gemma5.rotary);
  expect_same(gemma.local_rotary, gemma5.local_rotary);
  EXPECT_FALSE(at::equal(Rotary(gemma.rotary).angles(offsets).sines,
                         Rotary(gemma.local_rotary).angles(offsets).sines));
}

}  // namespace rubric::models::llama_test
