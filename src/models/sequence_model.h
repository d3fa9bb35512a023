// Sequence-to-sequence and causal language models (T5, BART, GPT-2, Llama): the interface that
// gives probabilities to a target's tokens given a source, and opening one from a model directory
// in Hugging Face's layout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/tokens/batches.h"
#include "models/architecture.h"
#include "models/ops/dropout.h"
#include "models/ops/gradient_checkpointing.h"
#include "models/ops/output_layer.h"
#include "models/weights/weights.h"

namespace rubric::models {

struct PairDropoutKeys {
  DropoutKeys source, target;  // one key for each token
};

// Decodes rows token by token, with a key-value cache for each row.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Reads one token in each row and returns the states that predict the next, [rows, width].
  virtual at::Tensor step(std::span<const int64_t> tokens) = 0;
  // Row i continues what was row `rows[i]`, which may be named several times; rows that are not
  // named are dropped.
  virtual void select(std::span<const int64_t> rows) = 0;
};

class SequenceModel : public CheckpointedLayers {
 public:
  virtual ~SequenceModel() = default;

  // The output layer's input for every token of the decoder's inputs: [tokens, width].
  virtual at::Tensor states(const data::TokenPairs& pairs, const PairDropoutKeys& keys) const = 0;
  // Whether states() without dropout reads a source that adjacent rows share only once.
  virtual bool shares_sources() const { return false; }
  Linear output() const;

  // A decoder that has read the sources, without gradients. The model must outlive it.
  virtual std::unique_ptr<Decoder> decode(const data::TokenBatch& sources) const = 0;

  // A GGUF file's matrices as they are stored, for pack_weights().
  void keep(BlockMatrices stored) { stored_ = std::move(stored); }

  // Packs the weights of the layers and of the output layer, for a model that is not trained any
  // more. Afterwards nothing is trained, moved or resized, and tensors() has no weights that can be
  // read. Throws InputError as pack_weight() does.
  void pack_weights(Packing packing);

  virtual int64_t vocabulary_size() const = 0;  // rows of the embedding
  // Adds tokens, before training: existing rows are unchanged, and tied tables grow together.
  virtual void resize_vocabulary(int64_t size, uint64_t seed) = 0;

  // What is trained, by published names, tied ones once.
  Parameters parameters() { return parameters_of(slots()); }
  virtual NamedTensors buffers() const { return {}; }  // saved beside them but not trained
  NamedTensors tensors();                              // parameters, then buffers

 private:
  virtual ParameterSlots slots() = 0;
  virtual Linear output_layer() const = 0;
  virtual void pack_layers(Packing packing) = 0;

  // Whether inputs of products have a few numbers far above others (Int8Inputs::twice).
  virtual bool has_outliers() const { return false; }

  // The output layer's weight where it is not also the embedding, else null.
  virtual at::Tensor* untied_output() { return nullptr; }

  // What output() gives once it is packed; an embedding that is tied to it stays beside.
  Linear packed_output_;
  BlockMatrices stored_;
};

// Opening.

// A model as its config.json describes it (data/model_files/list.h lists the kinds).
struct SequenceModelFactory {
  int64_t vocabulary;     // rows of the embedding
  std::string prefix;     // of all weights' names but the output layer's
  std::string embedding;  // the name of the token embedding
  bool is_tied;           // the output layer is the embedding
  int64_t padding_row;    // zero in a new embedding; -1: none
  std::function<double(const std::string& name)> standard_deviation;  // of new weights
  std::function<std::unique_ptr<SequenceModel>(const ParameterLoader& load)> make;
  std::string config_values = {};  // ConfigFields::values()
  bool is_always_tied = false;     // whatever config.json says
};

// Reads only the folder's config.json. Throws InputError as load_sequence_model() does about it.
SequenceModelFactory read_sequence_config(const std::filesystem::path& directory);

// Loads a model of one of the kinds, as config.json's model_type says. Weight names may lack the
// prefix "model." (BART, Llama) or "transformer." (GPT-2), and tied tensors may occur more than
// once. Throws InputError for other architectures, and listing tensors that are missing, mis-shaped
// or unexpected.
std::unique_ptr<SequenceModel> load_sequence_model(const std::filesystem::path& directory);
// `factory` is what read_sequence_config() gave.
std::unique_ptr<SequenceModel> load_sequence_model(const std::filesystem::path& directory,
                                                   const SequenceModelFactory& factory);

// The same from config.json only, with random weights (models/architecture.h).
std::unique_ptr<SequenceModel> new_sequence_model(const std::filesystem::path& directory,
                                                  uint64_t seed);
std::unique_ptr<SequenceModel> new_sequence_model(const std::filesystem::path& directory,
                                                  uint64_t seed,
                                                  const SequenceModelFactory& factory);

}  // namespace rubric::models
