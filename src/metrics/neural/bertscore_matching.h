// The texts of a file as rows of tokens, each distinct one once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "data/tokens/batches.h"
#include "text/tokenizer.h"

namespace rubric {

class DistinctTexts {
 public:
  // Rows of at most `max_length` tokens, 2 at least; longer ones are cut at their end.
  DistinctTexts(const Tokenizer& tokenizer, int64_t max_length);

  // The number of the text's row, a new one for a new text. As bert-score encodes it: without white
  // space around it, behind a blank (which tells RoBERTa that a word begins), in [CLS] … [SEP]. An
  // empty text is [CLS] [SEP].
  int64_t add(std::string_view text);

  const TokenBatch& rows() const { return rows_; }
  bool is_empty(int64_t row) const { return rows_.length(row) == 2; }
  int64_t truncated() const { return truncated_; }  // rows that were cut

 private:
  void encode(std::string_view stripped);

  const Tokenizer& tokenizer_;
  int64_t max_length_;
  TokenBatch rows_;
  int64_t truncated_ = 0;
  std::unordered_map<std::string, int64_t> known_;  // text → row
};

}  // namespace rubric
