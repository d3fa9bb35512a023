// Reads the tokenizer.model of Llama 2, Mistral and Phi-3 where no tokenizer.json is.
#pragma once

#include <filesystem>

#include "text/byte_bpe/byte_bpe.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {

// As LlamaTokenizerFast of transformers, which converts the file: legacy, add_prefix_space,
// add_bos_token and add_eos_token of tokenizer_config.json count. Throws InputError naming the file
// for another class of tokenizer and for what is no BPE of SentencePiece.
ByteBpeModel read_tokenizer_model(const std::filesystem::path& model_directory,
                                  const TokenizerSettings& settings);

}  // namespace rubric::text
