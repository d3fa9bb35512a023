// tests/fixtures/make_training.py fine-tunes a tiny LERC in plain PyTorch, without dropout, on
// given batches; our task and train step must lose, clip and end the same.

#include <set>

#include "data/tokens/tokenize_answers.h"
#include "metrics/neural/fixture_answers.h"
#include "text/tokenizer.h"
#include "train/loop/loop.h"
#include "train/optimizers/optimizer.h"
#include "train/settings/lerc_data.h"
#include "train/settings/train_config.h"
#include "train/tasks/lerc_task.h"

namespace rubric::train::finetune_test {

LercData fixture_data(const Json& fixture_json, const text::Tokenizer& tokenizer) {
  const std::vector<data::Answer> answers = answers_of(fixture_json.require("rows", ""));
  const data::TokenizedAnswers rows =
      data::tokenize_answers(answers, tokenizer, {.max_length = 64}, "fixture");
  return {.train = rows, .dev = rows, .dev_answers = answers};
}

// The fixture, and how many tokens are computed at once.
class FineTuning : public testing::TestWithParam<std::tuple<const char*, int64_t>> {};

// However a batch is cut into pieces.
TEST_P(FineTuning, EqualsTheReferenceStepByStep) {
  TrainConfig config;
  const auto& [name, tokens_at_once] = GetParam();
  config.data.train = fixture("training/" + std::string(name) + ".json").string();
  const Json json = Json::parse_file(config.data.train);
  config.data.max_length = 64;
  config.optimizer.weight_decay = json.require_number("weight_decay", "");
  const auto directory = fixture(json.require_string("model", ""));
  LercTask task(config, directory, metrics::load_lerc(directory),
                fixture_data(json, *text::open_tokenizer(directory)));

  std::set<std::string> expected_without_decay, without_decay;
  for (const Json& plain : json.require("no_decay", "").array()) {
    expected_without_decay.insert(plain.string());
  }
  for (const Parameter& parameter : task.parameters()) {
    if (!parameter.decays) without_decay.insert(parameter.name);
  }
  EXPECT_EQ(without_decay, expected_without_decay);

  AdamW optimizer(task.parameters(), config.optimizer);
  const distributed::Ranks ranks;
  distributed::GradientReducer reducer(optimizer.tensors(), ranks);
  const double peak = json.require_number("lr", "");
  const double max_norm = json.require_number("max_grad_norm", "");
  const int64_t total = json.require_integer("total_steps", "");
  int64_t done = 0;
  for (const Json& step : json.require("steps", "").array()) {
    std::vector<int64_t> batch;
    for (const Json& index : step.require("batch", "").array()) {
      batch.push_back(static_cast<int64_t>(index.number()));
    }
    const StepResult result =
        train_step(task, optimizer, reducer, ranks, batch, done, tokens_at_once,
                   peak * schedule_factor({}, done, total), max_norm);
    // float32 against float64 of the reference itself differ by 1.2e-5 (see the fixture).
    EXPECT_NEAR(result.loss, step.require_number("loss", ""), 5e-5) << "step " << done;
    EXPECT_NEAR(result.gradient_norm / step.require_number("grad_norm", ""), 1, 1e-4)
        << "step " << done;
    ++done;
  }
  const auto expected =
      fixture_tensors("training/" + std::string(name) + "_parameters.safetensors");
  for (const Parameter& parameter : task.parameters()) {
    // The key's bias has no gradient but rounding, which AdamW scales up to its learning rate.
    if (parameter.name.ends_with("self.key.bias") || parameter.name.ends_with("attn.k.bias")) {
      continue;
    }
    EXPECT_LT(difference(parameter.tensor.detach(), expected.at(parameter.name)), 1e-5)
        << parameter.name;
  }
}

INSTANTIATE_TEST_SUITE_P(TokensAtOnce, FineTuning,
                         testing::Combine(testing::Values("finetune", "finetune_mpnet",
                                                          "finetune_deberta"),
                                          testing::Values(100'000, 128, 1)));

}  // namespace rubric::train::finetune_test
