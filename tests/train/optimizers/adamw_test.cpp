#include <filesystem>

#include "core/error.h"
#include "models/fixture.h"
#include "train/loop/loop.h"
#include "train/optimizers/optimizer.h"

namespace rubric::train::adamw_test {

// tests/fixtures/make_training.py: torch.optim.AdamW, transformers' linear schedule,
// clip_grad_norm_.
struct AdamWParity : testing::Test {
  void SetUp() override {
    tensors_ = fixture_tensors("training/adamw.safetensors");
    json_ = Json::parse_file(fixture("training/adamw.json"));
    for (const char* name : {"matrix", "decayed", "bias"}) {
      at::Tensor tensor = tensors_.at("initial." + std::string(name)).clone();
      tensor.set_requires_grad(true);
      parameters_.push_back({name, tensor, std::string(name) != "bias"});
    }
  }

  void set_gradients(size_t step) {
    for (Parameter& parameter : parameters_) {
      parameter.tensor.mutable_grad() =
          tensors_.at("gradient." + std::to_string(step) + "." + parameter.name).clone();
    }
  }

  std::map<std::string, at::Tensor> tensors_;
  Json json_;
  Parameters parameters_;
  OptimizerConfig config_;
};

TEST_F(AdamWParity, EveryStepEqualsTorch) {
  config_.weight_decay = 0.01;
  config_.warmup_steps = 3;
  const double peak = json_.require_number("lr", "");
  AdamW optimizer(parameters_, config_);
  const Json::Array& steps = json_.require("steps", "").array();
  for (size_t step = 0; step < steps.size(); ++step) {
    set_gradients(step);
    const double norm = gradient_norm(parameters_);
    EXPECT_NEAR(norm, steps[step].require_number("grad_norm", ""), 1e-5 * norm);
    const double rate = peak * schedule_factor(config_, static_cast<int64_t>(step), 12);
    EXPECT_NEAR(rate, steps[step].require_number("lr", ""), 1e-12);
    clip_gradients(parameters_, norm, 1.0);
    optimizer.step(rate);
    for (const Parameter& parameter : parameters_) {
      const std::string name = "parameter." + std::to_string(step) + "." + parameter.name;
      EXPECT_LT(difference(parameter.tensor.detach(), tensors_.at(name)), 1e-6) << name;
    }
  }
}

// A parameter with a rate of its own takes torch's step of that many times the learning rate, and
// the others theirs.
TEST_F(AdamWParity, AParameterMayHaveItsOwnRate) {
  config_.weight_decay = 0.01;
  config_.warmup_steps = 3;
  constexpr double kRate = 4;
  for (Parameter& parameter : parameters_) {
    if (parameter.name == "decayed") parameter.rate = kRate;
  }
  AdamW optimizer(parameters_, config_);
  for (size_t step = 0; step < 2; ++step) {  // the first of the warm-up has the learning rate 0
    set_gradients(step);
    clip_gradients(parameters_, gradient_norm(parameters_), 1.0);
    const double factor = schedule_factor(config_, static_cast<int64_t>(step), 12);
    optimizer.step(json_.require_number("lr", "") * factor / kRate);
  }
  for (const Parameter& parameter : parameters_) {
    const at::Tensor before = tensors_.at("initial." + parameter.name);
    const at::Tensor whole = tensors_.at("parameter.1." + parameter.name) - before;
    const at::Tensor moved = parameter.tensor.detach() - before;
    const double share = parameter.name == "decayed" ? 1 : 1 / kRate;
    EXPECT_LT(difference(moved, whole * share), 1e-6) << parameter.name;
    EXPECT_GT(moved.abs().max().item<double>(), 1e-5) << parameter.name;
  }
}

TEST_F(AdamWParity, GoesOnFromASavedState) {
  const auto file = std::filesystem::path(testing::TempDir()) / "optimizer.safetensors";
  const double peak = json_.require_number("lr", "");
  AdamW first(parameters_, config_);
  set_gradients(0);
  first.step(peak);
  first.save(file);
  AdamW second(parameters_, config_);
  second.load(models::read_safetensors(file), file);
  set_gradients(1);
  second.step(peak);
  std::vector<at::Tensor> resumed;
  for (const Parameter& parameter : parameters_)
    resumed.push_back(parameter.tensor.detach().clone());

  SetUp();  // the same from the start again, without the interruption
  Parameters fresh(parameters_.end() - 3, parameters_.end());
  parameters_ = fresh;
  AdamW whole(parameters_, config_);
  for (size_t step = 0; step < 2; ++step) {
    set_gradients(step);
    whole.step(peak);
  }
  for (size_t i = 0; i < resumed.size(); ++i) {
    EXPECT_TRUE(at::equal(resumed[i], parameters_[i].tensor.detach()));
  }
}

TEST_F(AdamWParity, RefusesTheStateOfAnotherModel) {
  const auto file = std::filesystem::path(testing::TempDir()) / "other.safetensors";
  AdamW(parameters_, config_).save(file);
  parameters_[0].tensor = at::zeros({2, 2});
  EXPECT_THROW(AdamW(parameters_, config_).load(models::read_safetensors(file), file), InputError);
  parameters_.pop_back();
  EXPECT_THROW(AdamW(parameters_, config_).load(models::read_safetensors(file), file), InputError);
}

}  // namespace rubric::train::adamw_test
