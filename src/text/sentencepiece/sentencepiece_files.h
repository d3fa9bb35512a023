// Reads the files of tokenizers with a unigram model (T5, mT5, XLM-RoBERTa, RemBERT, DeBERTa v2 and
// v3): tokenizer.json, or T5's spiece.model, XLM-RoBERTa's sentencepiece.bpe.model, RemBERT's
// sentencepiece.model or DeBERTa's spm.model, which SentencePiece trains (a protocol buffer,
// ModelProto of sentencepiece_model.proto, read as far as tokenizing needs it), and the JSON files
// beside it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizer.h"
#include "text/sentencepiece/pre_tokenization.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace rubric::text {

enum class PieceKind {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6
};

struct SentencePieceModel {
  Vocabulary pieces;           // ids from 0, in file order
  std::vector<double> scores;  // by id, finite
  std::vector<PieceKind> kinds;
  int32_t unknown_id = 0;  // the id of a piece of kind `unknown`
  std::string charsmap;    // precompiled_charsmap of the normalizer; checked by Charsmap
};

enum class SentencePieceKind { unigram = 1, bpe = 2 };  // ModelType of its trainer

// Throws InputError naming `where` (and the piece) for a file that is damaged or of another kind of
// model: pieces that are empty, repeated, too long or not UTF-8, scores that are not finite, no
// unknown piece.
SentencePieceModel parse_sentencepiece_model(std::string_view bytes, const std::string& where,
                                             SentencePieceKind kind = SentencePieceKind::unigram);

// What the files describe: tokenizer.json or spiece.model, tokenizer_config.json,
// special_tokens_map.json, added_tokens.json.
struct SentencePieceTokenizerFiles {
  SentencePieceModel model;              // T5's extra ids follow its pieces, with score 0
  std::vector<AddedToken> added_tokens;  // without patterns
  Normalizer normalizer;
  PreTokenization pre_tokenization;
  TokensAround around;
  int64_t cls_id = -1, sep_id = -1, eos_id = -1;
  bool clean_up_spaces = false;
};

// The Unigram model of a tokenizer.json, with its ids and its scores as `tokenizers` reads them.
SentencePieceModel read_unigram_json(const Json& tokenizer, const std::string& file);

// Reads what the fast tokenizers of transformers have for this directory. tokenizer.json says all
// where there is one: pieces with scores, normalizer, pre-tokenization, added tokens and those
// around a text. T5's may lie beside spiece.model, which then must have the same pieces; if
// tokenizer_config.json has add_prefix_space, transformers uses that again.
//
// Without tokenizer.json T5's pieces are those of spiece.model, followed by <extra_id_N-1> …
// <extra_id_0> (N: extra_ids of tokenizer_config.json, else 100). Extra ids that are added tokens
// absorb the white space around them where the files say so. XLM-RoBERTa's are those of
// sentencepiece.bpe.model with fairseq's ids, RemBERT's those of its sentencepiece.model. DeBERTa's
// are those of spm.model, with [MASK] behind them; do_lower_case and split_by_punct of
// tokenizer_config.json count.
//
// The class of tokenizer, which tokenizer_config.json or config.json names, says which tokens have
// a role (cls, sep, eos, …) where no file does: T5's, XLM-RoBERTa's, RemBERT's, DeBERTa's, or none
// for PreTrainedTokenizerFast.
//
// Throws InputError naming file and key: files that contradict each other, tokens whose ids are not
// those that transformers would give them, another class of tokenizer, a T5 without </s> or <pad>.
SentencePieceTokenizerFiles read_sentencepiece_directory(
    const std::filesystem::path& model_directory);

// A field of a message in the wire format of protocol buffers
// (protobuf.dev/programming-guides/encoding).
struct ProtobufField {
  uint64_t number = 0;
  enum class Type { integer, fixed64, bytes, fixed32 } type = Type::integer;
  uint64_t integer = 0;    // of the types integer, fixed64 and fixed32
  std::string_view bytes;  // of the type bytes: a string or a message
};

class ProtobufReader {
 public:
  // Error messages name `where`.
  ProtobufReader(std::string_view message, std::string where);

  // Reads the next field; false at the end. Throws InputError where the message is truncated or not
  // a protocol buffer.
  bool next(ProtobufField& field);

 private:
  uint64_t read_varint();
  std::string_view read_bytes(uint64_t count);

  std::string_view rest_;
  std::string where_;
};

}  // namespace rubric::text
