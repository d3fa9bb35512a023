// The tensors of a model directory, in whichever of the published files it has.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "models/weights/weights.h"

namespace rubric {

// Every tensor of `model_directory`, from the first of these that exists: model.safetensors,
// model.safetensors.index.json with its shards, pytorch_model.bin, pytorch_model.bin.index.json
// with its shards. Throws InputError when there is none, when one is damaged, or when a shard does
// not hold exactly the tensors the index says.
NamedTensors read_weights(const std::filesystem::path& model_directory);

// The files that read_weights() reads, an index before its shards. Throws InputError when there is
// none or the index is damaged; the shards need not be there.
std::vector<std::filesystem::path> weight_files(const std::filesystem::path& model_directory);

constexpr size_t kShardBytes = 5'000'000'000;  // transformers' max_shard_size

// Writes what read_weights() reads, into a folder without weights: model.safetensors, or when the
// tensors take more than `shard_bytes` shards of at most as much (a larger tensor is a shard alone)
// and, when all of them are on disk, the index without which they are no weights. Throws Error.
void write_weights(const std::filesystem::path& model_directory, const NamedTensors& tensors,
                   size_t shard_bytes = kShardBytes);

// The first 12 digits of a SHA-256 over names and numbers: what signatures name a model by.
std::string fingerprint(const NamedTensors& tensors);

}  // namespace rubric
