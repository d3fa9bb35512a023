// What every kind of encoder in the list keeps to. A kind takes part by a folder
// tests/fixtures/*/NAME with a small model of it and, in expected.safetensors, what the reference
// implementation gives for a padded batch (as tests/fixtures/make_bert.py writes it).
#include <algorithm>
#include <exception>
#include <set>

#include <torch/csrc/autograd/function.h>

#include "core/error.h"
#include "core/json/json.h"
#include "models/encoders/encoder.h"
#include "models/encoders/list.h"
#include "models/fixture.h"

namespace rubric::models::kinds_test {

namespace fs = std::filesystem;

std::string model_type(const fs::path& directory) {
  return Json::parse_file(directory / "config.json").require_string("model_type", "config.json");
}

// By their names in tests/fixtures, "bert/gelu".
std::vector<std::string> parity_fixtures() {
  const std::vector<std::string> types = encoder_types();
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(fixtures_folder())) {
    const fs::path directory = entry.path().parent_path();
    if (entry.path().filename() != "expected.safetensors") continue;
    if (!fs::exists(directory / "config.json")) continue;
    if (std::ranges::count(types, model_type(directory)) == 0) continue;
    names.push_back(fs::relative(directory, fixtures_folder()).string());
  }
  std::ranges::sort(names);
  return names;
}

TEST(EncoderKinds, EveryTypeHasAParityFixture) {
  std::set<std::string> tested;
  for (const std::string& name : parity_fixtures()) tested.insert(model_type(fixture(name)));
  for (const std::string& type : encoder_types()) {
    EXPECT_TRUE(tested.contains(type)) << "no folder of tests/fixtures/*/* has a small \"" << type
                                       << "\" with an expected.safetensors";
  }
}

struct EncoderKinds : testing::TestWithParam<std::string> {
  void SetUp() override {
    encoder_ = load_encoder(fixture(GetParam()), {}).encoder;
    expected_ = fixture_tensors(GetParam() + "/expected.safetensors");
    lengths_ = expected_.at("attention_mask").sum(1);
    tokens_ = rows(0, lengths_.size(0));
  }

  // Some rows of the reference's batch.
  PackedTokens rows(int64_t first, int64_t count) const {
    const auto part = [&](const at::Tensor& all) { return all.narrow(0, first, count); };
    return pack_padded(part(expected_.at("input_ids")), part(expected_.at("token_type_ids")),
                       part(lengths_));
  }

  at::Tensor last_states(const PackedTokens& tokens) const {
    return encoder_->hidden_states(tokens, encoder_->limits().layers, {});
  }

  // The packed rows of a padded reference tensor [rows, width, …].
  at::Tensor packed(const at::Tensor& padded) const {
    std::vector<at::Tensor> parts;
    for (int64_t row = 0; row < padded.size(0); ++row) {
      parts.push_back(padded[row].narrow(0, 0, lengths_[row].item<int64_t>()));
    }
    return at::cat(parts);
  }

  // Every row by itself gives what it gives among the others.
  void expect_the_same_alone(double tolerance) const {
    const at::Tensor states = last_states(tokens_), firsts = encoder_->cls_states(tokens_, {});
    for (int64_t row = 0; row < tokens_.rows(); ++row) {
      const PackedTokens alone = rows(row, 1);
      const at::Tensor among =
          states.narrow(0, tokens_.offsets[static_cast<size_t>(row)], alone.ids.size(0));
      EXPECT_LT(difference(last_states(alone), among), tolerance) << row;
      EXPECT_LT(difference(encoder_->cls_states(alone, {})[0], firsts[row]), tolerance) << row;
    }
  }

  const at::NoGradGuard no_grad_;
  std::unique_ptr<Encoder> encoder_;
  std::map<std::string, at::Tensor> expected_;
  at::Tensor lengths_;
  PackedTokens tokens_;
};

TEST_P(EncoderKinds, StatesEqualTheReference) {
  const at::Tensor& reference = expected_.at("hidden_states");
  ASSERT_EQ(reference.size(0), encoder_->limits().layers + 1);
  for (int64_t layer = 0; layer < reference.size(0); ++layer) {
    const at::Tensor states = encoder_->hidden_states(tokens_, layer, {});
    for (int64_t row = 0; row < tokens_.rows(); ++row) {
      const int64_t length = lengths_[row].item<int64_t>();
      const int64_t first = tokens_.offsets[static_cast<size_t>(row)];
      EXPECT_LT(
          difference(states.narrow(0, first, length), reference[layer][row].narrow(0, 0, length)),
          1e-5)
          << "layer " << layer << ", row " << row;
    }
  }
}

// The key's bias shifts every score of a query alike: its gradient is rounding alone.
bool is_key_bias(const std::string& name) {
  return name.ends_with("key.bias") || name.ends_with("k.bias") || name.ends_with("k_lin.bias");
}

TEST_P(EncoderKinds, GradientsEqualTheReference) {
  const at::AutoGradMode with_gradients(true);
  auto parameters = encoder_->tensors();
  at::Tensor weight = expected_.at("score_layer.weight"), bias = expected_.at("score_layer.bias");
  parameters.emplace_back("score_layer.weight", weight);
  parameters.emplace_back("score_layer.bias", bias);
  for (auto& [name, tensor] : parameters) tensor.set_requires_grad(true);

  for (const bool is_checkpointed : {false, true}) {
    encoder_->checkpoint_gradients(is_checkpointed);
    const std::string first_layer = encoder_->hidden_states(tokens_, 1, {}).grad_fn()->name();
    EXPECT_EQ(first_layer.find("Checkpoint") != std::string::npos, is_checkpointed) << first_layer;
    const at::Tensor last = last_states(tokens_);
    const at::Tensor scores =
        at::linear(encoder_->cls_states(tokens_, {}), weight, bias).squeeze(1);
    const at::Tensor loss = (packed(expected_.at("w")) * last).sum() + (scores * scores).sum();
    EXPECT_LT(difference(scores, expected_.at("scores")), 1e-5);
    EXPECT_LT(difference(loss.reshape({1}), expected_.at("loss")), 1e-5);
    loss.backward();
    for (auto& [name, tensor] : parameters) {
      // A parameter that nothing depends on (DeBERTa's distances without their terms) has none.
      const at::Tensor gradient = tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor);
      EXPECT_LT(difference(gradient, expected_.at("grad." + name)), is_key_bias(name) ? 1e-4 : 1e-5)
          << name << (is_checkpointed ? ", checkpointed" : "");
      tensor.mutable_grad() = at::Tensor();
    }
  }
}

TEST_P(EncoderKinds, NothingDependsOnTheBatch) {
  expect_the_same_alone(1e-5);
}

TEST_P(EncoderKinds, FirstStatesAreThoseOfTheLastLayer) {
  const at::Tensor starts =
      at::tensor(at::IntArrayRef(tokens_.offsets.data(), tokens_.offsets.size() - 1), at::kLong);
  const at::Tensor firsts = last_states(tokens_).index_select(0, starts);
  EXPECT_LT(difference(encoder_->cls_states(tokens_, {}), firsts), 1e-5);
}

TEST_P(EncoderKinds, ReadsWhatItsLimitsAllow) {
  const EncoderLimits& limits = encoder_->limits();
  EXPECT_EQ(limits.width, expected_.at("hidden_states").size(-1));
  EXPECT_GE(limits.segment_types, 0);
  ASSERT_GE(limits.longest_row, lengths_.max().item<int64_t>());
  ASSERT_GT(limits.vocabulary_size, tokens_.ids.max().item<int64_t>());
  // The longest row: the fixture's first token, then the largest id, in the largest segment.
  data::TokenBatch longest;
  for (int64_t i = 0; i < limits.longest_row; ++i) {
    longest.ids.push_back(i == 0 ? tokens_.ids[0].item<int64_t>() : limits.vocabulary_size - 1);
    longest.segments.push_back(std::max<int64_t>(limits.segment_types, 1) - 1);
  }
  longest.offsets.push_back(limits.longest_row);
  const at::Tensor states = last_states(pack(longest));
  EXPECT_EQ(states.sizes(), at::IntArrayRef({limits.longest_row, limits.width}));
  EXPECT_TRUE(states.isfinite().all().item<bool>());
}

TEST_P(EncoderKinds, ParametersAreFloatTensorsWithNamesOfTheirOwn) {
  const NamedTensors tensors = encoder_->tensors();
  const Parameters parameters = encoder_->parameters();
  ASSERT_EQ(parameters.size(), tensors.size());
  std::set<std::string> names;
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(parameters[i].name, tensors[i].first);
    EXPECT_TRUE(parameters[i].tensor.is_same(tensors[i].second)) << tensors[i].first;
    EXPECT_EQ(parameters[i].tensor.scalar_type(), at::kFloat) << tensors[i].first;
    EXPECT_EQ(parameters[i].tensor.device(), encoder_->device());
    for (const EncoderKind* const kind : kEncoders) {
      const bool has_prefix = !kind->prefix.empty() && tensors[i].first.starts_with(kind->prefix);
      EXPECT_FALSE(has_prefix) << tensors[i].first;
    }
    names.insert(tensors[i].first);
  }
  EXPECT_EQ(names.size(), tensors.size());
}

// What config.json describes, filled with the same numbers, is the same model.
TEST_P(EncoderKinds, IsMadeOfItsConfigurationAndItsTensors) {
  NamedTensors tensors = encoder_->tensors();
  const std::unique_ptr<Encoder> made =
      read_encoder_config(fixture(GetParam())).make([&](const ParameterSlots& slots) {
        take_parameters(slots, tensors, "here");
      });
  EXPECT_TRUE(tensors.empty());
  EXPECT_TRUE(at::equal(made->cls_states(tokens_, {}), encoder_->cls_states(tokens_, {})));
}

TEST_P(EncoderKinds, PackedWeightsGiveTheSame) {
  const at::Tensor exact = encoder_->cls_states(tokens_, {});
  encoder_->pack_weights(Packing::float32);
  EXPECT_LT(difference(encoder_->cls_states(tokens_, {}), exact), 1e-5);
  expect_the_same_alone(1e-5);
  for (const auto& [name, tensor] : encoder_->tensors()) {
    const bool is_map = tensor.dim() == 2 && name.find("embeddings.") == std::string::npos &&
                        !name.ends_with("relative_attention_bias.weight");
    EXPECT_EQ(tensor.is_mkldnn(), is_map && at::hasMKLDNN()) << name;
  }
}

TEST_P(EncoderKinds, WeightsOfEightBitsAreNearOrRefused) {
  const at::Tensor exact = encoder_->cls_states(tokens_, {});
  try {
    encoder_->pack_weights(Packing::int8);
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("int8"), std::string::npos) << error.what();
    EXPECT_TRUE(at::equal(encoder_->cls_states(tokens_, {}), exact));
    return;
  }
  const at::Tensor rounded = encoder_->cls_states(tokens_, {});
  EXPECT_FALSE(at::equal(rounded, exact));
  EXPECT_LT(difference(rounded, exact), 0.1);
  expect_the_same_alone(1e-5);
  const NamedTensors tensors = encoder_->tensors();
  EXPECT_TRUE(std::ranges::any_of(tensors, [](const auto& t) { return !t.second.defined(); }));
}

// "bert/gelu" as part of a test's name.
std::string as_word(std::string name) {
  std::ranges::replace(name, '/', '_');
  return name;
}

// None where they cannot be listed: this is called before main(), where what is thrown would end
// the program without a word. EveryTypeHasAParityFixture, which lists them again, fails then.
std::vector<std::string> listed_fixtures() {
  try {
    return parity_fixtures();
  } catch (const std::exception&) {
    return {};
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, EncoderKinds, testing::ValuesIn(listed_fixtures()),
                         [](const auto& fixture) { return as_word(fixture.param); });

}  // namespace rubric::models::kinds_test
