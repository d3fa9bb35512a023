// The tensors of a model: reading and writing the safetensors format
// (https://github.com/huggingface/safetensors#format), and all of a model directory's weights in
// any published format.
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

#include "models/weights/blocks.h"

namespace rubric::models {

// The tensors of one model in file order, under the names they were published with.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Returns the tensor of that name, or nullptr.
const at::Tensor* find_tensor(const NamedTensors& tensors, std::string_view name);

// Reads every tensor of the file to the CPU with its stored dtype (F64 F32 F16 BF16 I64 I32 I16 I8
// U8 BOOL). Accepts what the official library accepts: the tensors must cover the data without
// holes or overlaps. Throws InputError naming file and tensor.
NamedTensors read_safetensors(const std::filesystem::path& path);
// The same of the content of a file.
NamedTensors parse_safetensors(std::string_view bytes, const std::string& file);

// The numbers of a tensor of a GGUF file: F32, F16 and BF16 as they are stored, blocks as float32.
// Equal to gguf.quants.dequantize of llama.cpp's package.
at::Tensor unpacked(const data::GgufTensor& tensor);

// Reads a GGUF file's tensors (data/model_files/gguf.h) under their published names, as their
// owner's files have them, and adds to `stored`, where given, the matrices in blocks as they are.
// Throws InputError as GgufFile() does.
NamedTensors read_gguf(const std::filesystem::path& path, BlockMatrices* stored = nullptr);

// Writes the same bytes as the official library, with its metadata "format": "pt"; the file appears
// whole or not at all. Tensors of any device and layout are written contiguous. Throws Error.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors);

// The number of elements of a shape. Nothing for a shape that libtorch cannot hold: a negative
// dimension, more than 64 dimensions, or sizes whose product (ignoring zeros, as strides are
// products too) is over 2^63.
std::optional<int64_t> element_count(std::span<const int64_t> shape);

// Model directories.

// Reads every tensor of `model_directory`, from the first of these that exists: model.safetensors,
// model.safetensors.index.json with its shards, pytorch_model.bin, pytorch_model.bin.index.json
// with its shards, model.gguf. Matrices in 8 bits (models/weights/int8_weights.h) come as float32.
// Throws InputError when there is none, when one is damaged, or when a shard does not hold exactly
// the tensors in the index.
// `stored` is as for read_gguf().
NamedTensors read_weights(const std::filesystem::path& model_directory,
                          BlockMatrices* stored = nullptr);

// The files that read_weights() reads, an index before its shards. Throws InputError when there are
// none or the index is damaged; the shards need not exist.
std::vector<std::filesystem::path> weight_files(const std::filesystem::path& model_directory);

constexpr size_t kShardBytes = 5'000'000'000;  // transformers' max_shard_size

// Writes the tensors into a directory without weights: model.safetensors, or, when they take more
// than `shard_bytes`, shards of at most that size (a larger tensor gets its own) and, once all are
// on disk, their index. Throws Error.
void write_weights(const std::filesystem::path& model_directory, const NamedTensors& tensors,
                   size_t shard_bytes = kShardBytes);

// SHA-256 over names and numbers.
std::string fingerprint(const NamedTensors& tensors);

}  // namespace rubric::models
