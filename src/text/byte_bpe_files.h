// The files that describe a byte-level BPE: vocab.json with merges.txt, tokenizer.json,
// tokenizer_config.json, added_tokens.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "text/added_tokens.h"
#include "text/merge_table.h"
#include "text/vocabulary.h"

namespace rubric {

struct ByteBpeModel {
  Vocabulary vocabulary;                 // as published, in byte_character(); has every byte
  std::vector<Merge> merges;             // best first, between ids of the vocabulary
  std::vector<AddedToken> added_tokens;  // without patterns
  bool add_prefix_space = false;         // a blank before every text that starts without one
  int64_t cls_id = -1, sep_id = -1, pad_id = -1, bos_id = -1, eos_id = -1;
  bool clean_up_spaces = false;
};

// tokenizer.json when the folder has one, else vocab.json and merges.txt with the added tokens that
// tokenizer_config.json names, or else the special tokens of RoBERTa, BART and GPT-2. Where
// tokenizer_config.json names none, those of added_tokens.json join them.
// add_prefix_space counts as tokenizer_config.json says, false where it does not, as in
// transformers. cls_id and sep_id are those of its cls_token and sep_token (or of
// special_tokens_map.json's, see tokenizer_settings.h), else of <s> and </s>; pad_id, bos_id and
// eos_id alike, else of <pad>, <s> and </s>, for a vocabulary without <s> of none and
// <|endoftext|>, as GPT-2 has it. -1 where the vocabulary has no such token. All tokens that the
// files name for a purpose are special.
//
// Throws InputError naming file and line or key: tokens or ids that are there twice, ids that are
// negative or over ten million, a byte without a token, a merge whose parts or result the
// vocabulary lacks, invalid UTF-8, other kinds of tokenizer.
ByteBpeModel read_byte_bpe_directory(const std::filesystem::path& model_directory);

}  // namespace rubric
