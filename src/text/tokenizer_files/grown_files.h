// The tokenizer files of a model whose tokenizer got more tokens.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "text/generation_tokenizer.h"

namespace rubric {

// Names and contents of files.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

// `files`, the tokenizer files of a model directory (others stay as they are), with `tokens` added.
// `tokenizer` is what open_generation_tokenizer makes of `files` as they are given; with `tokens`
// it gives the ids that our reader and transformers have for the result. They stand where
// add_tokens([...]) and save_pretrained of transformers put them: in the added tokens of
// tokenizer.json and in added_tokens_decoder of tokenizer_config.json, where these are, and in
// added_tokens.json, which has the ids beyond the vocabulary (all, where tokenizer_config.json
// lists none). Tokens that are added ones already stay as they are (where transformers saves
// a special one as an ordinary one). Throws InputError for files
// that are not what they should be, and for what cannot be a token.
NamedFiles with_added_tokens(NamedFiles files, const std::vector<std::string>& tokens,
                             const GenerationTokenizer& tokenizer);

}  // namespace rubric
