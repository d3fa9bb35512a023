#include "train/tasks/choice_task.h"

#include <utility>

#include "train/settings/choice_data.h"
#include "models/ops/linear.h"
#include "metrics/neural/lerc.h"

namespace rubric {

at::Tensor ChoiceModel::logits(const PackedTokens& tokens, const DropoutKeys& keys) const {
  return float_linear(encoder.encode_first(tokens, keys), classifier);
}

NamedTensors ChoiceModel::parameters() {
  NamedTensors named = encoder.parameters();
  named.emplace_back("classifier.weight", classifier.weight);
  named.emplace_back("classifier.bias", classifier.bias);
  return named;
}

ChoiceModel start_choice_model(const std::filesystem::path& encoder_directory, uint64_t seed) {
  Encoder encoder = open_answer_encoder(encoder_directory);
  const int64_t hidden = encoder.model.config().hidden_size;
  return {std::move(encoder.model), start_head(kChoiceLabels, hidden, seed)};
}

}  // namespace rubric
