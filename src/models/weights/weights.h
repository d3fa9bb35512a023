// The safetensors file format: https://github.com/huggingface/safetensors#format
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace rubric::models {

// The tensors of one model in file order, under the names they were published with.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// The tensor of that name, or nullptr.
const at::Tensor* find_tensor(const NamedTensors& tensors, std::string_view name);

// Every tensor of the file, copied to the CPU with the dtype it is stored in (F64 F32 F16 BF16 I64
// I32 I16 I8 U8 BOOL). Accepts what the official library accepts: the tensors must cover the data
// without holes or overlaps. Throws InputError naming file and tensor.
NamedTensors read_safetensors(const std::filesystem::path& path);
NamedTensors parse_safetensors(std::string_view bytes, const std::string& file);  // its content

// Writes the bytes that the official library would write, with its metadata "format": "pt"; the
// file appears whole or not at all. Tensors of any device and layout are written contiguous. Throws
// Error.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors);

// How many elements a tensor of this shape has. Nothing for a shape libtorch cannot hold: a
// negative dimension, more than 64 of them, or sizes whose product (zeros aside, as strides are
// products too) is over 2^63.
std::optional<int64_t> element_count(std::span<const int64_t> shape);

// The tensors of a model directory, in whichever of the published files it has.

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

}  // namespace rubric::models
