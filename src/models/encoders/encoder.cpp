#include "models/encoders/encoder.h"

#include <algorithm>

#include "core/error.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

bool replace_end(std::string& name, std::string_view old_end, std::string_view new_end) {
  if (!name.ends_with(old_end)) return false;
  name.replace(name.size() - old_end.size(), old_end.size(), new_end);
  return true;
}

// Today's name of a tensor, without the encoder's prefix.
std::string current_encoder_name(std::string name) {
  for (const std::string_view prefix : {"bert.", "roberta."}) {
    if (!name.starts_with(prefix)) continue;
    name.erase(0, prefix.size());
    break;
  }
  if (!replace_end(name, "LayerNorm.gamma", "LayerNorm.weight")) {
    replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
  }
  return name;
}

// Tensors of published checkpoints that no metric here uses.
bool is_unused_head(const std::string& name) {
  constexpr std::string_view kHeads[] = {"pooler.", "cls.", "lm_head.", "classifier."};
  return name == "embeddings.position_ids" ||
         std::ranges::any_of(kHeads, [&](auto head) { return name.starts_with(head); });
}

}  // namespace

LoadedEncoder load_encoder(const std::filesystem::path& directory,
                           const std::vector<std::string>& heads) {
  const BertConfig config = read_bert_config(directory / "config.json");
  NamedTensors weights;
  for (auto& [name, tensor] : read_weights(directory)) {
    std::string renamed = current_encoder_name(name);
    if (!is_unused_head(renamed)) weights.emplace_back(std::move(renamed), std::move(tensor));
  }
  Bert model(config, weights, directory.string());
  std::vector<std::string> unexpected;
  for (const auto& [name, tensor] : weights) {
    if (std::find(heads.begin(), heads.end(), name) == heads.end()) unexpected.push_back(name);
  }
  if (!unexpected.empty()) {
    throw InputError(
        "the weights hold tensors that this model does not have: " + join_some(unexpected),
        directory.string());
  }
  return {std::move(model), std::move(weights)};
}

void require_fit(const Bert& model, const text::Tokenizer& tokenizer,
                 const std::filesystem::path& directory) {
  if (tokenizer.cls_id() < 0 || tokenizer.sep_id() < 0) {
    throw InputError("the tokenizer has no token that begins a row, or none that ends a field",
                     directory.string(), "use a model of BERT's or RoBERTa's kind");
  }
  const int64_t entries = model.config().vocab_size;
  if (tokenizer.size() <= entries) return;
  throw InputError("the tokenizer has " + std::to_string(tokenizer.size()) +
                       " entries, the model " + std::to_string(entries),
                   directory.string(), "use the tokenizer files that belong to the model");
}

}  // namespace rubric::models
