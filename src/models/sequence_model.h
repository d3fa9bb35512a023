// Models that give a target's tokens their probabilities, given a source: T5, BART and GPT-2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/source_targets/token_pairs.h"
#include "models/architecture.h"
#include "models/ops/dropout.h"
#include "models/ops/gradient_checkpointing.h"
#include "models/weights/weights.h"

namespace rubric::models {

struct PairDropoutKeys {
  DropoutKeys source, target;  // of the tokens of either half
};

// logits = states weight^T + bias
struct OutputLayer {
  at::Tensor weight;  // [vocabulary, width]
  at::Tensor bias;    // [vocabulary], or undefined
};

// Decodes rows token by token. The keys and values of what a row has read are kept, for as long as
// the row is.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Reads one token in each row; what predicts the next: states [rows, width].
  virtual at::Tensor step(std::span<const int64_t> tokens) = 0;
  // Row i goes on from what was row `rows[i]`, which may be named several times; those that are not
  // named are forgotten.
  virtual void select(std::span<const int64_t> rows) = 0;
};

class SequenceModel {
 public:
  virtual ~SequenceModel() = default;

  // Whether layers forget their intermediate results until backward() (models/checkpointing.h).
  void checkpoint_gradients(bool whether) { checkpoints_ = whether; }

  // What the output layer reads, for every token of the decoder's inputs: [tokens, width].
  virtual at::Tensor states(const data::TokenPairs& pairs, const PairDropoutKeys& keys) const = 0;
  // Whether states() without dropout reads a source once that adjacent rows have in common.
  virtual bool shares_sources() const { return false; }
  virtual OutputLayer output() const = 0;

  // A decoder that has read the sources, without gradients. It must not outlive the model.
  virtual std::unique_ptr<Decoder> decode(const data::TokenBatch& sources) const = 0;

  virtual int64_t vocabulary_size() const = 0;  // rows of the embedding
  // More tokens, before training: what is there stays as it is, tied tables grow together.
  virtual void resize_vocabulary(int64_t size, uint64_t seed) = 0;

  // What is trained, by published names, tied ones once.
  Parameters parameters() { return parameters_of(slots()); }
  virtual NamedTensors buffers() const { return {}; }  // what is saved beside them and not trained
  NamedTensors tensors();                              // parameters, then buffers

 protected:
  at::Tensor run_layer(const LayerFunction& layer, const std::vector<at::Tensor>& inputs) const {
    return checkpoints_ ? checkpointed(layer, inputs) : layer(inputs);
  }

 private:
  virtual ParameterSlots slots() = 0;

  bool checkpoints_ = false;
};

// A model directory in Hugging Face's layout, opened as a model that writes.

// Rows of the embedding that config.json asks for. Throws InputError as load_sequence_model()
// does for what config.json says.
int64_t configured_vocabulary_size(const std::filesystem::path& directory);

// T5, mT5, BART or GPT-2, as config.json's model_type says. Names of the weights may lack the
// prefix "model." (BART) or "transformer." (GPT-2), and tied tensors may be there more than once.
// Throws InputError for other architectures, and listing tensors that are missing, mis-shaped or
// unexpected.
std::unique_ptr<SequenceModel> load_sequence_model(const std::filesystem::path& directory);

// The same of config.json alone, with random weights (models/initial_weights.h).
std::unique_ptr<SequenceModel> new_sequence_model(const std::filesystem::path& directory,
                                                  uint64_t seed);

}  // namespace rubric::models
