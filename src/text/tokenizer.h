// The interface of all tokenizers: text to token ids (Tokenizer) and, for models that generate
// text, ids back to text (GenerationTokenizer); and functions that open the tokenizer of a model
// directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/vocabulary.h"

namespace rubric::text {

// The special tokens that a model's tokenizer puts around a text, by id: T5's none and {</s>},
// BART's and RoBERTa's {<s>} and {</s>}, GPT-2's none. tokenizer.json says so (post_processor), or
// without one the class of tokenizer.
struct TokensAround {
  std::vector<int64_t> before, after;
  int64_t separators = 1;  // of a pair, between its two texts: RoBERTa's and MPNet's 2
  // Whether a single text gets the same tokens.
  bool operator==(const TokensAround& other) const {
    return before == other.before && after == other.after;
  }
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  const TokensAround& around() const { return around_; }

  // Appends the ids of `text` to `ids`, without special tokens around them. Accepts any bytes: each
  // maximal invalid part of UTF-8 counts as one U+FFFD. Safe to call from several threads.
  virtual void encode(std::string_view text, std::vector<int64_t>& ids) const = 0;

  virtual int64_t size() const = 0;    // the largest id plus one: rows of the embedding
  virtual int64_t cls_id() const = 0;  // starts a row; -1: no such token
  virtual int64_t sep_id() const = 0;  // ends a field of a row; -1: no such token

  // Whether a text's first word gets another token than behind a space, and its model knows it
  // behind one: of byte-level BPE, as RoBERTa's and GPT-2's; bert-score puts one there.
  virtual bool marks_first_word() const { return false; }

  // SHA-256 of everything that ids depend on: equal fingerprints give equal ids.
  virtual const std::string& fingerprint() const = 0;

 protected:
  explicit Tokenizer(TokensAround around) : around_(std::move(around)) {}

 private:
  TokensAround around_;
};

// Opens the tokenizer of a model directory in Hugging Face's layout: WordPiece, byte-level BPE or
// Unigram, depending on its files. Throws InputError, which names the kind of an unsupported
// tokenizer.
std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model_directory);

// What the files of a model say about its tokens, beyond how text is split.
struct GenerationTokens {
  TokenTable table;
  int64_t eos_id = -1;
  TokensAround around;
  bool clean_up_spaces = false;  // clean_up_tokenization_spaces of tokenizer_config.json
};

class GenerationTokenizer : public Tokenizer {
 public:
  int64_t eos_id() const { return tokens_.eos_id; }  // -1: no such token

  // The id of a token of the vocabulary or of an added token by its exact text in the vocabulary
  // ("▁the", "Ġthe"); -1 if there is none.
  int64_t find(std::string_view token) const { return tokens_.table.find(token); }

  // Whether the id is that of a special or an added token, which is found before text is split.
  bool is_added_token(int64_t id) const { return tokens_.table.entry(id).is_added; }

  // Decodes `ids` to valid UTF-8 as `decode` of transformers' fast tokenizers does. Ids without a
  // token (spare rows of an embedding, say) give nothing, as there; so do negative ids (the padding
  // of labels), for which transformers raises OverflowError.
  std::string decode(std::span<const int64_t> ids, bool skip_special_tokens = true) const;

 protected:
  explicit GenerationTokenizer(GenerationTokens tokens)
      : Tokenizer(tokens.around), tokens_(std::move(tokens)) {}

 private:
  // The text that tokens of the vocabulary represent.
  virtual std::string join(std::span<const std::string_view> tokens) const = 0;

  GenerationTokens tokens_;
};

// Opens the tokenizer of a T5, BART or GPT-2 model directory in Hugging Face's layout:
// Unigram (tokenizer.json or spiece.model) or byte-level BPE, depending on its files. Throws
// InputError, which names the kind of an unsupported tokenizer. Adds `added_tokens` as `add_tokens`
// of transformers does: existing tokens keep their ids, the others get the next ids in order.
std::unique_ptr<GenerationTokenizer> open_generation_tokenizer(
    const std::filesystem::path& model_directory,
    const std::vector<std::string>& added_tokens = {});

// clean_up_tokenization of transformers: removes the space before . ? ! , n't 'm 's 've 're, and
// the spaces around a single apostrophe.
void clean_up_spaces(std::string& text);

}  // namespace rubric::text
