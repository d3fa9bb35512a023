// The files that describe a byte-level BPE: vocab.json with merges.txt, tokenizer.json,
// tokenizer_config.json, added_tokens.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "text/added_tokens.h"
#include "text/byte_bpe/merge_table.h"
#include "text/vocabulary.h"

namespace rubric {

struct ByteBpeModel {
  Vocabulary vocabulary;                 // as published, in byte_character(); has every byte
  std::vector<Merge> merges;             // best first, between ids of the vocabulary
  std::vector<AddedToken> added_tokens;  // without patterns
  bool add_prefix_space = false;         // a blank before every text that starts without one
  int64_t cls_id = -1, sep_id = -1, eos_id = -1;
  bool clean_up_spaces = false;
};

// tokenizer.json when the folder has one, else vocab.json and merges.txt with the added tokens that
// tokenizer_config.json names, or else the special tokens of RoBERTa, BART and GPT-2. Where
// tokenizer_config.json names none, those of added_tokens.json join them.
// add_prefix_space counts as tokenizer_config.json says, false where it does not, as in
// transformers. The ids are those of the tokens that tokenizer_settings.h finds, else those of
// RoBERTa and BART: <s> for cls and bos, </s> for sep and eos, <pad>; for a vocabulary without <s>
// that of GPT-2: <|endoftext|> for bos and eos. -1 where the vocabulary has no such token. All
// tokens that have a purpose so are special.
//
// Throws InputError naming file and line or key: tokens or ids that are there twice, ids that are
// negative or over ten million, a byte without a token, a merge whose parts or result the
// vocabulary lacks, invalid UTF-8, other kinds of tokenizer.
ByteBpeModel read_byte_bpe_directory(const std::filesystem::path& model_directory);

}  // namespace rubric
