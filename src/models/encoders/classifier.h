// An encoder with the head of sequence classification that transformers puts on it
// (…ForSequenceClassification), by its published tensor names: the kinds differ in the names and in
// the activation between two linear layers (ClassifierLayers of models/encoders/kind.h).
//
//   logits = W2 norm(activation(W1 h + b1)) + b2,  h of the first token, or of all their mean
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/encoders/encoder.h"

namespace rubric::models {

// The mean of each row's vectors: [tokens, width] to [rows, width].
at::Tensor row_means(const at::Tensor& states, const Offsets& offsets);

struct Classifier {
  std::unique_ptr<Encoder> encoder;
  Linear dense, output;
  LayerNorm norm = {};  // without weight: none
  double norm_epsilon = 1e-5;
  std::string activation;
  bool pools_mean = false;           // of ModernBERT, if config.json says so
  std::vector<std::string> classes;  // id2label of config.json; empty without
  std::string config_values;         // what else the numbers depend on (ConfigFields::values())

  at::Tensor logits(const PackedTokens& tokens) const;  // [rows, outputs]
  NamedTensors tensors();                               // of encoder and head
};

// Loads the encoder of a model directory with its head; `layer`, if it is not empty, is the name of
// an output layer on BERT's pooler in place of the kind's own head. Throws InputError where the
// directory has no such layer.
Classifier load_classifier(const std::filesystem::path& directory, const std::string& layer = "");

}  // namespace rubric::models
