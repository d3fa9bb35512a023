#include <filesystem>

#include "core/error.h"
#include "models/fixture.h"
#include "temporary_folder.h"
#include "train/optimizers/optimizer.h"

namespace rubric::train::adafactor_test {

constexpr size_t kSteps = 3;

// tests/fixtures/make_adafactor.py: transformers' Adafactor with relative_step off.
struct AdafactorParity : testing::Test {
  Parameters fresh_parameters() const {
    Parameters parameters;
    for (const char* name : {"matrix", "zeros", "scalar", "stack"}) {
      at::Tensor tensor = tensors_.at("initial." + std::string(name)).clone();
      parameters.push_back({name, tensor.set_requires_grad(true), true});
    }
    return parameters;
  }

  OptimizerConfig setting(const std::string& name, double& learning_rate) const {
    const Json& values = json_.require(name, "");
    learning_rate = values.require_number("lr", "");
    OptimizerConfig config;
    config.scale_parameter = values.require_boolean("scale_parameter", "");
    config.weight_decay = values.require_number("weight_decay", "");
    return config;
  }

  // "scalar" has none in the second step.
  void make_step(Optimizer& optimizer, size_t step, double learning_rate) const {
    optimizer.zero_gradients();
    for (const Parameter& parameter : optimizer.parameters()) {
      const auto found = tensors_.find("gradient." + std::to_string(step) + "." + parameter.name);
      if (found != tensors_.end()) parameter.tensor.mutable_grad() = found->second.clone();
    }
    optimizer.step(learning_rate);
  }

  std::map<std::string, at::Tensor> tensors_ = fixture_tensors("adafactor/steps.safetensors");
  Json json_ = Json::parse_file(fixture("adafactor/settings.json"));
  TemporaryFolder folder_;
};

// A parameter with a rate of its own takes transformers' step of that many times the learning rate,
// and the others theirs.
TEST_F(AdafactorParity, AParameterMayHaveItsOwnRate) {
  constexpr double kRate = 4;
  double learning_rate = 0;
  const OptimizerConfig config = setting("plain", learning_rate);
  Parameters parameters = fresh_parameters();
  for (Parameter& parameter : parameters) {
    if (parameter.name == "matrix") parameter.rate = kRate;
  }
  Adafactor optimizer(parameters, config);
  make_step(optimizer, 0, learning_rate / kRate);
  for (const Parameter& parameter : parameters) {
    const at::Tensor before = tensors_.at("initial." + parameter.name);
    const at::Tensor whole = tensors_.at("plain.0." + parameter.name) - before;
    const at::Tensor moved = parameter.tensor.detach() - before;
    const double share = parameter.name == "matrix" ? 1 : 1 / kRate;
    EXPECT_LT(difference(moved, whole * share), 1e-6) << parameter.name;
    EXPECT_GT(moved.abs().max().item<double>(), 1e-5) << parameter.name;
  }
}

TEST_F(AdafactorParity, EveryStepEqualsTransformers) {
  for (const std::string name : {"plain", "scaled", "decayed"}) {
    double learning_rate = 0;
    const OptimizerConfig config = setting(name, learning_rate);
    Adafactor optimizer(fresh_parameters(), config);
    for (size_t step = 0; step < kSteps; ++step) {
      make_step(optimizer, step, learning_rate);
      for (const Parameter& parameter : optimizer.parameters()) {
        const std::string expected = name + "." + std::to_string(step) + "." + parameter.name;
        EXPECT_LT(difference(parameter.tensor.detach(), tensors_.at(expected)), 1e-6) << expected;
      }
    }
  }
}

// tests/fixtures/make_seq2seq.py: a step of every parameter of whole models.
TEST(Adafactor, OneStepOfAModelEqualsTransformers) {
  OptimizerConfig config;
  config.weight_decay = 0;
  for (const std::string model : {"t5", "bart", "gpt2"}) {
    const auto expected = fixture_tensors("seq2seq/" + model + "/expected.safetensors");
    Parameters parameters;
    for (const auto& [name, tensor] : fixture_tensors("seq2seq/" + model + "/model.safetensors")) {
      const auto gradient = expected.find("grad." + name);
      if (gradient == expected.end()) continue;  // a buffer
      parameters.push_back({name, tensor.clone().set_requires_grad(true), true});
      parameters.back().tensor.mutable_grad() = gradient->second;
    }
    EXPECT_GT(parameters.size(), 20u);
    Adafactor(parameters, config).step(1e-3);
    for (const Parameter& parameter : parameters) {
      const at::Tensor& after = expected.at("adafactor." + parameter.name);
      EXPECT_LT(difference(parameter.tensor.detach(), after), 1e-6) << model << parameter.name;
    }
  }
}

TEST_F(AdafactorParity, GoesOnFromASavedState) {
  double learning_rate = 0;
  const OptimizerConfig config = setting("scaled", learning_rate);
  Adafactor whole(fresh_parameters(), config), first(fresh_parameters(), config);
  for (size_t step = 0; step < kSteps; ++step) make_step(whole, step, learning_rate);
  for (size_t step = 0; step < 2; ++step) make_step(first, step, learning_rate);
  first.save(folder_.file("state"));
  Adafactor second(first.parameters(), config);
  second.load(models::read_safetensors(folder_.file("state")), "state");
  make_step(second, 2, learning_rate);
  for (size_t i = 0; i < whole.parameters().size(); ++i) {
    EXPECT_TRUE(at::equal(whole.parameters()[i].tensor, second.parameters()[i].tensor))
        << whole.parameters()[i].name;
  }
}

TEST_F(AdafactorParity, RemembersRowsAndColumnsAlone) {
  Adafactor(fresh_parameters(), {}).save(folder_.file("state"));
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const auto& [name, tensor] : models::read_safetensors(folder_.file("state"))) {
    shapes[name] = tensor.sizes().vec();
  }
  EXPECT_EQ(shapes.size(), 10u);
  EXPECT_EQ(shapes.at("matrix.exp_avg_sq_row"), std::vector<int64_t>{7});
  EXPECT_EQ(shapes.at("matrix.exp_avg_sq_col"), std::vector<int64_t>{5});
  EXPECT_EQ(shapes.at("stack.exp_avg_sq_row"), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(shapes.at("stack.exp_avg_sq_col"), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(shapes.at("zeros.exp_avg_sq"), std::vector<int64_t>{5});
}

TEST_F(AdafactorParity, WhatDoesNotDecayStays) {
  double learning_rate = 0;
  const OptimizerConfig config = setting("decayed", learning_rate);
  Parameters parameters = fresh_parameters();
  for (Parameter& parameter : parameters) parameter.decays = parameter.name != "stack";
  Adafactor optimizer(parameters, config);
  optimizer.parameters()[3].tensor.mutable_grad() = at::zeros({3, 4, 2});
  optimizer.step(learning_rate);
  EXPECT_TRUE(at::equal(parameters[3].tensor, tensors_.at("initial.stack")));
}

TEST_F(AdafactorParity, RefusesAnotherState) {
  Parameters parameters = fresh_parameters();
  Adafactor(parameters, {}).save(folder_.file("state"));
  parameters[0].tensor = at::zeros({7, 6});
  EXPECT_THROW(
      Adafactor(parameters, {}).load(models::read_safetensors(folder_.file("state")), "state"),
      InputError);
  OptimizerConfig adamw;
  EXPECT_THROW(make_optimizer(fresh_parameters(), adamw)
                   ->load(models::read_safetensors(folder_.file("state")), "state"),
               InputError);
}

}  // namespace rubric::train::adafactor_test
