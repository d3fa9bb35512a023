// A COMET (models/heads/comet.h) opened from a model directory: encoder and head in one file of
// weights, by the names of unbabel-comet's checkpoints but those of the encoder, which are the
// encoder's own; and what shapes do not say in comet.json, by the names of its hyperparameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "models/heads/comet.h"

namespace rubric::metrics {

inline constexpr const char* kCometFile = "comet.json";

struct CometModel {
  std::unique_ptr<models::Encoder> encoder;
  models::LayerMix mix;
  models::CometNetwork network;
  bool pools_first = false;  // the first token, else the mean of all
  int64_t parts = 0;         // widths that the network reads: 6, 4 without a reference, or 1
  std::string fingerprint;   // of all that scores depend on but the tokenizer
};

// Throws InputError where the directory has no such model, and naming comet.json and its key for
// what this version does not compute.
CometModel load_comet(const std::filesystem::path& directory);

}  // namespace rubric::metrics
