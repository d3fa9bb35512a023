// The tensors of a model directory, in whichever of the published files it has.
#pragma once

#include <filesystem>

#include "models/safetensors.h"

namespace rubric {

// Every tensor of `model_directory`, from the first of these that exists: model.safetensors,
// model.safetensors.index.json with its shards, pytorch_model.bin, pytorch_model.bin.index.json
// with its shards. Throws InputError when there is none, when one is damaged, or when a shard does
// not hold exactly the tensors the index says.
NamedTensors read_weights(const std::filesystem::path& model_directory);

// The state dict in a zip file of torch.save (PyTorch 1.6 and later). Nothing in it is executed
// (models/unpickler.h). Tied tensors share their storage, and views may be strided. Throws
// InputError naming file and tensor.
NamedTensors read_pytorch_bin(const std::filesystem::path& path);

}  // namespace rubric
