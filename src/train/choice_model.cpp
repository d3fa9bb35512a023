#include "train/choice_model.h"

#include <utility>

#include "data/choice_pairs.h"
#include "models/layers.h"
#include "neural_metrics/lerc_model.h"

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
