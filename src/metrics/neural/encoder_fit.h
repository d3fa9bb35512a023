// Whether an encoder, its tokenizer and the rows that it is to read fit each other.
#pragma once

#include <cstdint>
#include <filesystem>

#include "models/encoders/encoder.h"
#include "text/tokenizer.h"

namespace rubric::metrics {

// Throws InputError naming `directory`, the model's folder, when the tokenizer knows more entries
// than the model or has no tokens to put around a row.
void require_fit(const models::Encoder& encoder, const text::Tokenizer& tokenizer,
                 const std::filesystem::path& directory);

// Throws InputError naming `directory`, the model's folder, when a row of `max_length` tokens has
// more positions than it.
void require_positions(const models::Encoder& encoder, int64_t max_length,
                       const std::filesystem::path& directory);

// The number of tokens of the longest text that the model in `directory` takes: its positions, or
// fewer where tokenizer_config.json says so. Throws InputError where that is none.
int64_t longest_text(const std::filesystem::path& directory, const models::EncoderLimits& limits);

}  // namespace rubric::metrics
