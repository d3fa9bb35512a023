// A sequence-to-sequence or causal language model with its tokenizer and special tokens, opened
// from a model directory.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/model_files/model_tokens.h"
#include "data/source_targets/pair_config.h"
#include "models/sequence_model.h"
#include "text/tokenizer.h"

namespace rubric::metrics {

struct OpenedSequenceModel {
  std::unique_ptr<models::SequenceModel> model;
  std::unique_ptr<text::GenerationTokenizer> tokenizer;
  data::ModelTokens tokens;
  // The values of config.json and the special tokens that probabilities depend on.
  std::string settings;
};

// A hash by which signatures name a model: of weights, tokenizer, the fields of config.json that it
// computes with, and its special tokens. Left out are what only generating reads and what the
// configuration of pairs says.
std::string fingerprint(const OpenedSequenceModel& opened);

// What a training run starts with, beyond the files of the directory.
struct Initialization {
  bool has_random_weights = false;      // only config.json's shape is used
  std::vector<std::string> add_tokens;  // added to vocabulary and embeddings
  uint64_t seed = 0;
};

// Opens a model directory for pairs with templates as in `config`. Throws InputError as the parts
// do, when the tokenizer has more entries than the model, and when the model's configuration or
// `config` names a token that does not exist.
OpenedSequenceModel open_sequence_model(const std::filesystem::path& directory,
                                        const data::PairConfig& config,
                                        const Initialization& start = {});

}  // namespace rubric::metrics
