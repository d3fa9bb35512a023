// Tokenised data on disk: one HDF5 file for each (source, tokenizer, template), named by their
// hash. A hash of its bytes stands before them, where HDF5 lets other programs put a user block.
#pragma once

#include <filesystem>

#include "data/tokenized_answers.h"

namespace rubric {

// Written under a temporary name, flushed and renamed: readers see all of it or nothing. Throws
// Error when it cannot be written.
void write_token_store(const std::filesystem::path& file, const TokenizedAnswers& answers,
                       const std::string& source_sha256);

// Checks every size and offset before use. Throws InputError naming the file, which can then be
// deleted: it is made again from its source.
TokenizedAnswers read_token_store(const std::filesystem::path& file);

// The tokenised rows of a MOCHA file, from the store in `directory` or else tokenised now and put
// there; only tokenised when `directory` is empty. All constituents; the caller holds some out.
TokenizedAnswers stored_answers(const std::filesystem::path& source,
                                const std::filesystem::path& directory, const WordPiece& tokenizer,
                                const AnswerTemplate& answer_template,
                                const Augmentation& augmentation);

}  // namespace rubric
