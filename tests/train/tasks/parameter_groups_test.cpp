// Which parameters decay, and their order: of both depend AdamW's groups, the gradient buckets and
// the shares of the optimiser's memory, and so every bit of a training run.
#include <algorithm>

#include "messages.h"
#include "metrics/neural/lerc_model.h"
#include "models/fixture.h"
#include "models/sequence_model.h"
#include "models/weights/torch_file.h"
#include "train/tasks/choice_task.h"
#include "train/tasks/trained_model.h"

namespace rubric::train::parameter_groups_test {

namespace fs = std::filesystem;

// transformers' Trainer goes by names; relative_attention_bias.weight of T5 and MPNet counts as a
// bias there.
bool decays_by_name(const std::string& name) {
  const std::vector<std::string> parts = {"bias", "LayerNorm", "layernorm", "layer_norm",
                                          ".ln_", "_norm.",    "s.norm."};
  return std::ranges::none_of(parts, [&](const std::string& part) { return holds(name, part); });
}

void expect_groups(const Parameters& parameters, const models::NamedTensors& tensors) {
  ASSERT_FALSE(parameters.empty());
  ASSERT_GE(tensors.size(), parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_EQ(parameters[i].name, tensors[i].first);
    EXPECT_EQ(parameters[i].decays, decays_by_name(parameters[i].name)) << parameters[i].name;
  }
}

std::vector<fs::path> models_in(const std::string& folder) {
  std::vector<fs::path> directories;
  for (const auto& entry : fs::directory_iterator(fixture(folder))) {
    if (fs::exists(entry.path() / "config.json")) directories.push_back(entry.path());
  }
  return directories;
}

TEST(ParameterGroups, OfEncodersUnderAHeadGoByName) {
  std::vector<fs::path> directories = models_in("bert");
  EXPECT_FALSE(directories.empty());
  for (const fs::path& directory : models_in("encoders")) {
    if (fs::exists(directory / "model.safetensors")) directories.push_back(directory);
  }
  for (const char* name : {"lerc", "lerc_roberta", "lerc_mpnet", "bertscore/roberta", "deberta/v1",
                           "deberta/v2", "deberta/bpe", "deberta/lerc"}) {
    directories.push_back(fixture(name));
  }
  for (const fs::path& directory : directories) {
    SCOPED_TRACE(directory);
    metrics::LercModel lerc = metrics::start_lerc(directory, 1);
    expect_groups(lerc.parameters(), lerc.tensors());
    ChoiceModel choice = start_choice_model(directory, 1);
    expect_groups(choice.parameters(), choice.tensors());
  }
  for (const char* name : {"lerc", "lerc_roberta", "lerc_mpnet"}) {
    metrics::LercModel lerc = metrics::load_lerc(fixture(name));
    expect_groups(lerc.parameters(), lerc.tensors());
    EXPECT_EQ(lerc.parameters().back().name, "score_layer.bias");
  }
}

TEST(ParameterGroups, OfSequenceModelsGoByName) {
  const std::vector<fs::path> directories = models_in("seq2seq");
  EXPECT_FALSE(directories.empty());
  for (const fs::path& directory : directories) {
    SCOPED_TRACE(directory);
    const auto model = models::load_sequence_model(directory);
    expect_groups(model->parameters(), model->tensors());
    EXPECT_EQ(model->tensors().size(), model->parameters().size() + model->buffers().size());
  }
}

// torch.save keeps the order of a state dict.
TEST(ParameterGroups, AreInTheOrderOfTheStateDict) {
  const fs::path directory = fixture("bert/relu_bin");
  std::vector<std::string> ours, theirs;
  for (const Parameter& parameter : metrics::start_lerc(directory, 1).parameters()) {
    ours.push_back(parameter.name);
  }
  ours.resize(ours.size() - 2);  // without the score layer
  for (const auto& [name, tensor] : models::read_pytorch_bin(directory / "pytorch_model.bin")) {
    if (std::ranges::count(ours, name) > 0) theirs.push_back(name);
  }
  EXPECT_EQ(ours, theirs);
}

TEST(TrainedParameters, RecordGradients) {
  const at::Tensor x = at::zeros({2}), y = at::zeros({2});
  const Parameters trained = trained_parameters({{"x", x, true}, {"y", y, false}});
  ASSERT_EQ(trained.size(), 2u);
  EXPECT_TRUE(x.requires_grad() && y.requires_grad());
  EXPECT_TRUE(trained[0].decays && !trained[1].decays);
}

}  // namespace rubric::train::parameter_groups_test
