// The files that describe T5's tokenizer: spiece.model, and beside it tokenizer.json,
// tokenizer_config.json, special_tokens_map.json, added_tokens.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "text/added_tokens.h"
#include "text/sentencepiece/sentencepiece_files.h"
#include "text/sentencepiece/text_cutting.h"

namespace rubric {

struct SentencePieceTokenizerFiles {
  SentencePieceModel model;  // behind its pieces T5's extra ids, as pieces with the score 0
  std::vector<AddedToken> added_tokens;  // without patterns
  TextCutting cutting;
  int64_t eos_id = -1;
  bool clean_up_spaces = false;
};

// Vocabulary, added tokens and cutting that T5TokenizerFast of transformers has for this folder.
// The pieces are those of spiece.model, <extra_id_N-1> … <extra_id_0> follow them (N: extra_ids of
// tokenizer_config.json, else 100). A tokenizer.json counts for its added tokens, its cutting and
// its scores unless tokenizer_config.json has add_prefix_space, which makes transformers go by
// spiece.model again. Extra ids that are added tokens take the white space around them where the
// files say so.
//
// Throws InputError naming file and key: files that contradict each other, tokens whose ids are not
// those that transformers would give them, a tokenizer_class other than T5's, no </s> or <pad>.
SentencePieceTokenizerFiles read_sentencepiece_directory(
    const std::filesystem::path& model_directory);

}  // namespace rubric
