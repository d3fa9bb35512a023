#include "models/ops/device.h"

#include <functional>

#include "models/causal/gpt2.h"
#include "models/causal/llama.h"
#include "models/config_fields.h"
#include "models/encoders/encoder.h"
#include "models/ops/output_layer.h"
#include "models/other_device.h"
#include "models/seq2seq/bart.h"
#include "models/seq2seq/t5.h"
#include "models/seq2seq_fixture.h"
#include "models/sequence_model.h"

namespace rubric::models::device_test {

TEST(Device, TheCpusTensorsStayWhatTheyAre) {
  const at::Tensor x = at::ones({2});
  EXPECT_TRUE(on_device(x, at::kCPU).is_same(x));
  EXPECT_TRUE(at::equal(on_device(x, kOtherDevice).cpu(), x));
  const void* const data = x.const_data_ptr();
  move_to(at::kCPU, {{"x", x}});
  EXPECT_EQ(x.const_data_ptr(), data);
}

TEST(Device, ARandomStateComesBack) {
  const at::Tensor state = random_state(at::kCPU);
  const at::Tensor first = at::rand({8});
  EXPECT_FALSE(at::equal(at::rand({8}), first));
  set_random_state(at::kCPU, state);
  EXPECT_TRUE(at::equal(at::rand({8}), first));
  EXPECT_THROW(set_random_state(at::kCPU, at::zeros({3}, at::kByte)), c10::Error);
}

// What a model computes elsewhere is what it computes here, and so are its gradients.
template <class Model>
void expect_the_same_elsewhere(Model& here, Model& elsewhere,
                               const std::function<at::Tensor(const Model&)>& loss_of) {
  std::vector<at::Tensor> losses;
  for (Model* model : {&here, &elsewhere}) {
    for (const Parameter& parameter : model->parameters()) parameter.tensor.set_requires_grad(true);
    losses.push_back(loss_of(*model));
    losses.back().backward();
  }
  EXPECT_EQ(losses[1].device().type(), kOtherDevice);
  EXPECT_LT(difference(losses[1].cpu().reshape({1}), losses[0].reshape({1})), 1e-5);
  const Parameters expected = here.parameters();
  const Parameters actual = elsewhere.parameters();
  for (size_t i = 0; i < expected.size(); ++i) {
    const at::Tensor gradient = actual[i].tensor.grad();
    ASSERT_TRUE(gradient.defined()) << expected[i].name;
    EXPECT_EQ(gradient.device().type(), kOtherDevice);
    EXPECT_LT(difference(gradient.cpu(), expected[i].tensor.grad()), 1e-5) << expected[i].name;
  }
}

// Fills slots with the tensors of a model that is here, elsewhere.
ParameterLoader loader_from(const NamedTensors& tensors) {
  return [&tensors](const ParameterSlots& slots) {
    for (const ParameterSlot& slot : slots) {
      *slot.tensor = find_tensor(tensors, slot.name)->detach().to(kOtherDevice);
    }
  };
}

template <class Model, class Config>
void expect_sequence_model_elsewhere(const std::string& name,
                                     Config (*read_config)(ConfigFields&)) {
  const auto here = load_sequence_model(fixture(sequence_folder(name)));
  const NamedTensors tensors = here->tensors();
  ConfigFields fields(fixture(sequence_folder(name)));
  Model model(read_config(fields), loader_from(tensors));
  SequenceModel& elsewhere = model;
  const data::TokenPairs pairs = seq2seq_fixture(name).pairs;
  expect_the_same_elsewhere<SequenceModel>(*here, elsewhere, [&](const SequenceModel& of) {
    return target_cross_entropy(of.states(pairs, {}), of.output(), pairs.targets) /
           static_cast<double>(pairs.targets.size());
  });
  const auto likelihoods = [&](const SequenceModel& of) {
    const at::NoGradGuard no_grad;
    return at::tensor(target_log_probabilities(of.states(pairs, {}), of.output(), pairs.targets));
  };
  EXPECT_LT(difference(likelihoods(elsewhere), likelihoods(*here)), 1e-5);
}

struct Elsewhere : testing::Test {
  Elsewhere() { at::globalContext().setSDPUseFlash(false); }  // it has no kernel there
  ~Elsewhere() override { at::globalContext().setSDPUseFlash(true); }
};

TEST_F(Elsewhere, SequenceModelsAreTheSame) {
  for (const std::string name : {"t5", "t5_v1_1", "t5_gated_silu"}) {
    SCOPED_TRACE(name);
    expect_sequence_model_elsewhere<T5>(name, read_t5_config);
  }
  expect_sequence_model_elsewhere<Bart>("bart", read_bart_config);
  expect_sequence_model_elsewhere<Gpt2>("gpt2", read_gpt2_config);
  for (const std::string name : {"decoders/mistral", "decoders/phi3", "decoders/gemma3"}) {
    SCOPED_TRACE(name);
    expect_sequence_model_elsewhere<Llama>(name, read_llama_config);
  }
}

TEST_F(Elsewhere, EncodersAreTheSame) {
  for (const std::string name : {"gelu", "relu", "roberta", "mpnet"}) {
    SCOPED_TRACE(name);
    const auto here = load_encoder(fixture("bert/" + name), {}).encoder;
    const NamedTensors tensors = here->tensors();
    const auto elsewhere = read_encoder_config(fixture("bert/" + name)).make(loader_from(tensors));
    const data::TokenBatch rows{{0, 4, 5, 2, 0, 6, 2}, {0, 0, 0, 0, 0, 0, 0}, {0, 4, 7}, {}};
    expect_the_same_elsewhere<Encoder>(*here, *elsewhere, [&](const Encoder& of) {
      return of.cls_states(pack(rows), {}).square().sum();
    });
  }
}

// Masks are not the hashes of the CPU's.
TEST_F(Elsewhere, DropoutDrawsFromTheGenerator) {
  const at::Tensor x = at::ones({100, 100}, at::device(kOtherDevice));
  const DropoutKeys keys{at::arange(100, at::kLong)};
  const at::Tensor first = dropout(x, keys, 0.3, 1).cpu();
  EXPECT_NEAR((first == 0).to(at::kFloat).mean().item<double>(), 0.3, 0.02);
  EXPECT_FALSE(at::equal(dropout(x, keys, 0.3, 1).cpu(), first));
  EXPECT_TRUE(dropout(x, {}, 0.3, 1).is_same(x));
}

}  // namespace rubric::models::device_test
