// The tensors of a model directory, in whichever of the published files it has.
#pragma once

#include <filesystem>
#include <vector>

#include "models/safetensors.h"

namespace rubric {

// Every tensor of `model_directory`, from the first of these that exists: model.safetensors,
// model.safetensors.index.json with its shards, pytorch_model.bin, pytorch_model.bin.index.json
// with its shards. Throws InputError when there is none, when one is damaged, or when a shard does
// not hold exactly the tensors the index says.
NamedTensors read_weights(const std::filesystem::path& model_directory);

// The files that read_weights() reads, an index before its shards. Throws InputError when there is
// none or the index is damaged; the shards need not be there.
std::vector<std::filesystem::path> weight_files(const std::filesystem::path& model_directory);

}  // namespace rubric
