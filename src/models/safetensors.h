// The safetensors file format: https://github.com/huggingface/safetensors#format
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace rubric {

// The tensors of one model in file order, under the names they were published with.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Every tensor of the file, copied to the CPU with the dtype it is stored in (F64 F32 F16 BF16 I64
// I32 I16 I8 U8 BOOL). Accepts what the official library accepts: the tensors must cover the data
// without holes or overlaps. Throws InputError naming file and tensor.
NamedTensors read_safetensors(const std::filesystem::path& path);

// The file's "__metadata__", empty when it has none. Throws as read_safetensors does.
std::map<std::string, std::string> read_safetensors_metadata(const std::filesystem::path& path);

// Writes the bytes that the official library would write; the file appears whole or not at all.
// Tensors of any device and layout are written contiguous. Throws Error.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata = {{"format", "pt"}});

// How many elements a tensor of this shape has. Nothing for a shape libtorch cannot hold: a
// negative dimension, more than 64 of them, or sizes whose product (zeros aside, as strides are
// products too) is over 2^63.
std::optional<int64_t> element_count(std::span<const int64_t> shape);

}  // namespace rubric
