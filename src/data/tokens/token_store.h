// Tokenised data on disk: one HDF5 file for each (source, tokenizer, template), named by their
// hash. A hash of its bytes stands before them, where HDF5 lets other programs put a user block.
#pragma once

#include <cstdint>
#include <filesystem>

#include "data/tokens/tokenized_answers_part.h"

namespace rubric {

inline constexpr int64_t kTokenStoreFormat = 2;  // raised when the layout of the file changes

// Written under a temporary name, flushed and renamed: readers see all of it or nothing. Throws
// Error when it cannot be written.
void write_token_store(const std::filesystem::path& file, const TokenizedAnswers& answers,
                       const std::string& source_sha256);

// Checks every size, offset and value before use. Throws InputError naming the file, which can then
// be deleted: it is made again from its source.
TokenizedAnswers read_token_store(const std::filesystem::path& file);

}  // namespace rubric
