// Text as GPT-2 sees it before merging: bytes, cut into pieces (Radford et al. 2019, encoder.py;
// ByteLevel of `tokenizers`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace rubric::text {

// The character under which vocabularies list a byte: itself where it is printable, else one from
// U+0100 on, such as Ġ for a blank. As UTF-8.
std::string byte_character(uint8_t byte);

// The bytes that a token of a vocabulary stands for; nothing when it has a character that is none
// of byte_character(), as tokens may have that are found in the text before it is cut.
std::optional<std::string> token_bytes(std::string_view token);

// The next piece of valid UTF-8 from `position` on, which moves behind it: what GPT-2's expression
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// matches there. Pieces leave nothing out. False at the end.
bool next_pre_token(std::string_view text, size_t& position, std::string_view& piece);

// The merges of a byte-pair encoding by their two parts: an open-addressing hash table.

struct Merge {
  int32_t left = 0, right = 0;  // ids of two tokens
  int32_t merged = 0;           // id of the token that replaces them
};

class MergeTable {
 public:
  // Best first; of two merges of the same parts the later counts.
  explicit MergeTable(const std::vector<Merge>& merges);

  struct Found {
    int32_t rank = -1;  // the merge's place in the list; -1: the parts do not merge
    int32_t merged = -1;
  };
  Found find(int32_t left, int32_t right) const;

 private:
  struct Slot {
    uint64_t parts = 0;
    Found found;
  };
  size_t slot_of(uint64_t parts) const;  // where they are, or would be put

  std::vector<Slot> slots_;  // a power of two, at most half of them in use
};

// The files that describe a byte-level BPE: vocab.json with merges.txt, tokenizer.json,
// tokenizer_config.json, added_tokens.json.

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

// Byte-level byte-pair encoding, the tokenizer of GPT-2, RoBERTa and BART (Radford et al. 2019;
// Sennrich et al. 2016): text to token ids and back, id by id those of transformers' fast
// tokenizers (tokenizers 0.22). Truncation, padding and special tokens around the text are the
// caller's business.

class ByteBpe : public GenerationTokenizer {
 public:
  // Reads what the folder has, as read_byte_bpe_directory says, and adds tokens as
  // open_generation_tokenizer does. Throws InputError.
  static ByteBpe from_directory(const std::filesystem::path& model_directory,
                                const std::vector<std::string>& added_tokens = {});

  void encode(std::string_view text, std::vector<int64_t>& ids) const override;

  int64_t size() const override { return size_; }
  int64_t cls_id() const override { return cls_id_; }
  int64_t sep_id() const override { return sep_id_; }

  // Over vocabulary, merges, added tokens and options, from whichever files they came.
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  explicit ByteBpe(const ByteBpeModel& model);
  void encode_pre_tokens(std::string_view text, std::vector<int64_t>& ids) const;
  std::string join(std::span<const std::string_view> tokens) const override;
  void merge(std::string_view bytes, std::vector<int64_t>& ids) const;

  std::string fingerprint_;
  MergeTable merges_;
  Vocabulary whole_pieces_;  // bytes that merge into one token, and that token
  std::vector<int32_t> byte_ids_;
  AddedTokenFinder raw_tokens_, normalized_tokens_;
  bool add_prefix_space_ = false;
  int64_t size_ = 0, cls_id_ = -1, sep_id_ = -1;
};

}  // namespace rubric::text
