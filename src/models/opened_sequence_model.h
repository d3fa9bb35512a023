// A model that writes, with all that belongs to it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/model_files/model_tokens.h"
#include "data/source_targets/pair_config.h"
#include "models/sequence_model.h"
#include "text/tokenizer.h"

namespace rubric::models {

struct OpenedSequenceModel {
  std::unique_ptr<SequenceModel> model;
  std::unique_ptr<text::GenerationTokenizer> tokenizer;
  data::ModelTokens tokens;
};

// Of the weights and the tokenizer: what signatures name a model by.
std::string fingerprint(const OpenedSequenceModel& opened);

struct NewParts {
  bool weights = false;                 // random ones: a model of config.json's shape alone
  std::vector<std::string> add_tokens;  // to vocabulary and embeddings
  uint64_t seed = 0;
};

// Opens a model directory for pairs put together as `config` says. Throws InputError as the parts
// do, when the tokenizer has more entries than the model, and when the model's configuration or
// `config` name a token that is not there.
OpenedSequenceModel open_sequence_model(const std::filesystem::path& directory,
                                        const data::PairConfig& config, const NewParts& add = {});

}  // namespace rubric::models
