// Byte-pair encoding (BPE) over all bytes, in its two published forms, and reading the tokenizer's
// files. Byte-level, of GPT-2, RoBERTa, BART, Llama 3, Qwen and SmolLM2: text is split into
// pre-tokens, whose bytes are merged (Radford et al. 2019, encoder.py; ByteLevel of `tokenizers`).
// With byte fallback, of Llama 2, Mistral, Phi-3 and Gemma: the characters of a text are merged,
// and those that the vocabulary lacks are the tokens of their bytes, "<0xE2>".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizer.h"
#include "text/sentencepiece/pre_tokenization.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace rubric::text {

// The character, as UTF-8, by which vocabularies represent a byte: the byte itself where it is
// printable, else a character from U+0100 on, such as Ġ for a space.
std::string byte_character(uint8_t byte);

// The token of a byte in a vocabulary with byte fallback: "<0xE2>".
std::string byte_token(uint8_t byte);

// The bytes that a token of a vocabulary represents; nullopt when it has a character that
// byte_character() never returns, as an added token may have.
std::optional<std::string> token_bytes(std::string_view token);

// A way to split text into pre-tokens.
struct PreTokenStep {
  enum class Kind {
    // By GPT-2's expression
    //   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
    gpt2,
    // By that of GPT-4 and Llama 3, where Qwen's has \p{N} instead of \p{N}{1,3},
    //   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
    //    ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
    gpt4,
    digits,  // each character of \p{N} is one, and so is the text between two of them
  };
  Kind kind = Kind::gpt2;
  int most_digits = 3;  // of gpt4
};

// Sets `pre_token` to the next pre-token of valid UTF-8 from `position` on and moves `position`
// behind it. The pre-tokens cover the whole text. False at the end.
bool next_pre_token(std::string_view text, size_t& position, std::string_view& pre_token,
                    const PreTokenStep& step = {});

// A merge of a byte-pair encoding.
struct Merge {
  int32_t left = 0, right = 0;  // ids of two tokens
  int32_t merged = 0;           // id of the token that replaces them
};

// The merges of a SentencePiece BPE, which has a score for each token instead: all pairs of tokens
// that make a token, the token of the highest score first, as transformers' converter has them.
std::vector<Merge> merges_of_scores(const std::vector<std::string>& tokens,
                                    const std::vector<double>& scores);

class MergeTable {
 public:
  // Takes the merges from highest to lowest priority; of two merges of the same parts the later one
  // counts.
  explicit MergeTable(const std::vector<Merge>& merges);

  struct Found {
    int32_t rank = -1;  // index of the merge in the list; -1: the parts do not merge
    int32_t merged = -1;
  };
  Found find(int32_t left, int32_t right) const;

  // Replaces neighbours among the tokens from `first` on by what they merge into, best first, until
  // none can merge.
  void merge(std::vector<int64_t>& tokens, size_t first) const;

 private:
  struct Slot {
    uint64_t parts = 0;
    Found found;
  };
  size_t slot_of(uint64_t parts) const;  // where the parts are or would be inserted

  std::vector<Slot> slots_;  // open addressing: a power of two, at most half in use
};

// What is different in a BPE with byte fallback.
struct ByteFallback {
  bool has_metaspace = false;  // spaces become kBlankMark before `prefix` is put
  PreTokenization::Prefix prefix = PreTokenization::Prefix::never;
  bool drops_first_space = false;  // from decoded text
};

// What the files of a BPE describe: vocab.json with merges.txt, tokenizer.json,
// tokenizer_config.json, added_tokens.json.
struct ByteBpeModel {
  Vocabulary vocabulary;                 // as published, in byte_character()s
  std::vector<Merge> merges;             // highest priority first, between ids of the vocabulary
  std::vector<AddedToken> added_tokens;  // without patterns
  Normalizer normalizer;
  std::vector<PreTokenStep> steps = {{}};  // each splits what the one before it gives
  bool ignores_merges = false;             // a pre-token that is in the vocabulary is one token
  std::optional<ByteFallback> fallback;    // then without these two and a prefix
  bool add_prefix_space = false;           // adds a space before every text that starts without one
  bool marks_first_word = true;            // not of DeBERTa and PreTrainedTokenizerFast
  int32_t unknown_id = -1;                 // of a byte that is no token; -1: such a byte is dropped
  bool fuses_unknown = false;              // one for neighbouring bytes of a pre-token
  TokensAround around;
  int64_t cls_id = -1, sep_id = -1, eos_id = -1;
  bool clean_up_spaces = false;
};

// Reads tokenizer.json if the directory has one, else the tokenizer.model of LlamaTokenizer, which
// SentencePiece trains, else vocab.json and merges.txt with the added
// tokens that tokenizer_config.json lists or, if it lists none, the special tokens of RoBERTa, BART
// and GPT-2 and those of added_tokens.json. add_prefix_space comes from tokenizer_config.json and
// defaults to false, as in transformers. The ids are those of the tokens that named_token()
// returns, else those of RoBERTa and BART: <s> for cls and bos, </s> for sep and eos, <pad>; for a
// vocabulary without <s> those of GPT-2: <|endoftext|> for bos and eos, or, of
// PreTrainedTokenizerFast, as ModernBERT's, none; for the class of DeBERTa's tokenizers [CLS],
// [SEP], [PAD] and so on. An id is -1 where the
// vocabulary has no such token. All tokens with such a role are special.
//
// tokenizer.json also says which tokens stand around a text (post_processor). Without it the class
// of tokenizer does: <s> and </s> of RoBERTa's and BART's, [CLS] and [SEP] of DeBERTa's, none of
// GPT-2's, or with add_bos_token the one that begins a text. A model of another class is refused.
//
// Throws InputError naming file and line or key: repeated tokens or ids, ids that are negative or
// over ten million, a byte without a token, a merge whose parts or result the vocabulary lacks,
// invalid UTF-8, other kinds of tokenizer, an expression that splits text in an unknown way.
ByteBpeModel read_byte_bpe_directory(const std::filesystem::path& model_directory);

// Byte-pair encoding (Radford et al. 2019; Sennrich et al. 2016): encodes text to token ids and
// decodes them, with the same ids as transformers' fast tokenizers (tokenizers 0.22). The caller
// adds truncation, padding and special tokens around the text.
class ByteBpe : public GenerationTokenizer {
 public:
  // Reads the files as read_byte_bpe_directory does, and adds tokens as open_generation_tokenizer
  // does. Throws InputError.
  static ByteBpe from_directory(const std::filesystem::path& model_directory,
                                const std::vector<std::string>& added_tokens = {});

  void encode(std::string_view text, std::vector<int64_t>& ids) const override;

  int64_t size() const override { return size_; }
  int64_t cls_id() const override { return cls_id_; }
  int64_t sep_id() const override { return sep_id_; }
  bool marks_first_word() const override { return marks_first_word_; }

  // A hash of vocabulary, merges, added tokens and options, whichever files they come from.
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  explicit ByteBpe(const ByteBpeModel& model);
  // A text between added tokens; `starts_text`: nothing precedes it.
  void encode_part(std::string_view text, bool starts_text, std::vector<int64_t>& ids) const;
  void encode_pre_tokens(std::string_view text, size_t step, std::vector<int64_t>& ids) const;
  void encode_characters(std::string_view text, std::vector<int64_t>& ids) const;
  std::string join(std::span<const std::string_view> tokens) const override;
  void merge(std::string_view bytes, std::vector<int64_t>& ids) const;

  std::string fingerprint_;
  MergeTable merges_;
  std::vector<PreTokenStep> steps_;
  std::optional<ByteFallback> fallback_;
  Vocabulary whole_pre_tokens_;  // byte strings that merge into one token, and that token
  Vocabulary characters_;        // with byte fallback: the vocabulary's tokens of one character
  std::vector<int32_t> byte_ids_;
  int32_t fused_id_ = -1;  // that neighbouring bytes have once
  Normalizer normalizer_;
  AddedTokenFinder raw_tokens_, normalized_tokens_;
  bool add_prefix_space_ = false, marks_first_word_ = true;
  int64_t size_ = 0, cls_id_ = -1, sep_id_ = -1;
};

}  // namespace rubric::text
