// The files that describe a WordPiece tokenizer: vocab.txt, tokenizer.json, tokenizer_config.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "text/added_tokens.h"
#include "text/wordpiece/wordpiece.h"
#include "text/vocabulary.h"

namespace rubric {

struct WordPieceModel {
  Vocabulary vocabulary;  // has [CLS], [SEP], [PAD] and [UNK]
  std::vector<AddedToken> added_tokens;
  WordPieceOptions options;
};

// One token a line, its id the line number from 0 (an empty line is an id without a token). The
// special tokens [PAD], [UNK], [CLS], [SEP] and, when it is there, [MASK] become added tokens.
WordPieceModel read_wordpiece_vocabulary(const std::filesystem::path& vocab_txt,
                                         const WordPieceOptions& options);

// tokenizer.json when the folder has one, else vocab.txt with what tokenizer_config.json says about
// added tokens. do_lower_case, strip_accents and tokenize_chinese_chars in tokenizer_config.json
// count in both cases, over the normalizer of tokenizer.json, as in transformers (unless the
// tokenizer_class is PreTrainedTokenizerFast, which does not know them).
//
// Both throw InputError naming file and line or key: duplicate tokens, ids that are negative,
// repeated or over ten million, missing special tokens, invalid UTF-8, other kinds of tokenizer.
WordPieceModel read_wordpiece_directory(const std::filesystem::path& model_directory);

}  // namespace rubric
