// What all encoders have in common (packed tokens in, a vector for each token out), and a model
// directory in Hugging Face's layout opened as one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/tokens/batches.h"
#include "models/architecture.h"
#include "models/encoders/kind.h"
#include "models/ops/attention.h"
#include "models/ops/gradient_checkpointing.h"

namespace rubric::models {

// What goes in, on the CPU: rows one after another without padding.
struct PackedTokens {
  at::Tensor ids, token_type_ids;  // int64 [tokens]
  Offsets offsets;                 // rows + 1
  at::Tensor features;             // float32 [rows, features]; undefined without
  int64_t rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
};

PackedTokens pack(const data::TokenBatch& rows);

// What an encoder can read, and the size of what it gives.
struct EncoderLimits {
  int64_t longest_row = 0;      // in tokens, with those that the tokenizer puts around a text
  int64_t vocabulary_size = 0;  // token ids are below it
  int64_t segment_types = 0;    // segments are below it; of 0 or 1 the segments are not read
  int64_t layers = 0;
  int64_t width = 0;  // of a token's vector
};

class Encoder : public CheckpointedLayers {
 public:
  virtual ~Encoder() = default;

  const EncoderLimits& limits() const { return limits_; }
  virtual at::Device device() const = 0;

  // The output of layer `layer`, counted from 1, for every token: [tokens, width]. Layer 0 is
  // the embeddings. Later layers are not computed.
  at::Tensor hidden_states(const PackedTokens& tokens, int64_t layer,
                           const DropoutKeys& keys) const {
    return visit_states(tokens, layer, keys, {});
  }

  // The same. Calls `visit`, if set, with the outputs of the layers before, in order.
  using StateVisitor = std::function<void(const at::Tensor& states)>;
  virtual at::Tensor visit_states(const PackedTokens& tokens, int64_t layer,
                                  const DropoutKeys& keys, const StateVisitor& visit) const = 0;

  // What the model gives without the layers behind `layer`, as bert-score cuts them off:
  // hidden_states() of that layer, normalised where a norm follows the last layer.
  virtual at::Tensor states_cut_behind(const PackedTokens& tokens, int64_t layer) const {
    return hidden_states(tokens, layer, {});
  }

  // The last layer's output for each row's first token, [rows, width], which a kind computes faster
  // than hidden_states().
  virtual at::Tensor cls_states(const PackedTokens& tokens, const DropoutKeys& keys) const = 0;

  // Packs the weights of all layers (models/ops/linear.h). Afterwards nothing is trained, and
  // tensors() has no weights that can be read. Throws InputError where a kind has no such weights.
  virtual void pack_weights(Packing packing) = 0;

  // What is trained, by published names without prefix ("encoder.layer.0.attention.self.…"), in the
  // order of transformers' state dict.
  Parameters parameters() { return parameters_of(slots()); }
  NamedTensors tensors() { return named_tensors(slots()); }

 protected:
  explicit Encoder(EncoderLimits limits) : limits_(limits) {}

 private:
  virtual ParameterSlots slots() = 0;

  EncoderLimits limits_;
};

// Makes the encoder that a config.json describes, with the parameters that `load` puts in.
struct EncoderFactory {
  std::function<std::unique_ptr<Encoder>(const ParameterLoader& load)> make;
  std::string config_values = {};  // ConfigFields::values()
  const EncoderKind* kind = nullptr;
};

// Reads only the folder's config.json. Throws InputError for a kind that is not in the list
// (models/encoders/list.h), and naming the field that is missing, out of range or unsupported.
EncoderFactory read_encoder_config(const std::filesystem::path& directory);

struct LoadedEncoder {
  std::unique_ptr<Encoder> encoder;
  NamedTensors rest;          // the heads that were asked for, such as score_layer.weight
  std::string config_values;  // ConfigFields::values()
};

// Reads config.json and the weights. Names may carry the prefix of any kind in the list ("bert.")
// and the LayerNorm names of the first releases (gamma, beta). `rest` gets the tensors named in
// `heads`; others that are not the encoder's are left out or refused as leave_out_rest() says
// (models/architecture.h).
LoadedEncoder load_encoder(const std::filesystem::path& directory,
                           const std::vector<std::string>& heads);

}  // namespace rubric::models
