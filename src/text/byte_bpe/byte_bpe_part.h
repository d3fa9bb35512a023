// Byte-level byte-pair encoding, the tokenizer of GPT-2, RoBERTa and BART (Radford et al. 2019;
// Sennrich et al. 2016): text to token ids and back, id by id those of transformers' fast
// tokenizers (tokenizers 0.22). Truncation, padding and special tokens around the text are the
// caller's business.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/added_tokens.h"
#include "text/byte_bpe/byte_bpe_files.h"
#include "text/generation_tokenizer.h"
#include "text/byte_bpe/merge_table.h"
#include "text/vocabulary.h"

namespace rubric {

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
  void encode_pieces(std::string_view text, std::vector<int64_t>& ids) const;
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

}  // namespace rubric
