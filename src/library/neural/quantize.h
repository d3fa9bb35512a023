// Makes a model smaller.
#pragma once

#include <filesystem>

namespace rubric::library {

// Copies a model directory to `output`, which appears whole or not at all, with the matrices of its
// weights in 8 bits (models/weights/int8_weights.h), and makes the folders above it. Throws
// InputError as read_weights() does, and when `output` exists.
void quantize_model(const std::filesystem::path& model_directory,
                    const std::filesystem::path& output);

}  // namespace rubric::library
