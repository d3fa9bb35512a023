// What turns text into the ids of an encoder's vocabulary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace rubric::text {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Appends the ids of `text` to `ids`, without special tokens around them. Any bytes will do: each
  // maximal invalid part of UTF-8 counts as one U+FFFD. May be called from several threads at once.
  virtual void encode(std::string_view text, std::vector<int64_t>& ids) const = 0;

  virtual int64_t size() const = 0;    // the largest id and one: rows of the embedding
  virtual int64_t cls_id() const = 0;  // begins a row; -1: there is no such token
  virtual int64_t sep_id() const = 0;  // ends a field of it; -1: there is no such token

  // SHA-256 over all that ids depend on: equal fingerprints give equal ids.
  virtual const std::string& fingerprint() const = 0;
};

// The tokenizer of a model directory in Hugging Face's layout: WordPiece or byte-level BPE, by the
// files it has. Throws InputError, for other kinds with their name.
std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model_directory);

// What turns text into the ids that a T5, BART or GPT-2 reads and writes, and its ids into text.

// What the files of a model say about its tokens beyond how text is cut.
struct GenerationTokens {
  TokenTable table;
  int64_t eos_id = -1;
  bool clean_up_spaces = false;  // clean_up_tokenization_spaces of tokenizer_config.json
};

class GenerationTokenizer : public Tokenizer {
 public:
  int64_t eos_id() const { return tokens_.eos_id; }  // -1: there is no such token

  // The id of a token of the vocabulary or an added one by its exact text as the vocabulary has it
  // ("▁the", "Ġthe"); -1 where there is none.
  int64_t find(std::string_view token) const { return tokens_.table.find(token); }

  // Whether the id is that of a token looked for before text is cut: a special or an added one.
  bool is_added_token(int64_t id) const { return tokens_.table.entry(id).is_added; }

  // The text of `ids`, as valid UTF-8: what `decode` of transformers' fast tokenizers gives. Ids
  // without a token (those of an embedding's spare rows, say) give nothing, as there; so do
  // negative ones (the padding of labels), for which transformers raises OverflowError.
  std::string decode(std::span<const int64_t> ids, bool skip_special_tokens = true) const;

 protected:
  explicit GenerationTokenizer(GenerationTokens tokens) : tokens_(std::move(tokens)) {}

 private:
  // The text that tokens, as the vocabulary has them, stand for.
  virtual std::string join(std::span<const std::string_view> tokens) const = 0;

  GenerationTokens tokens_;
};

// The tokenizer of a model directory in Hugging Face's layout: SentencePiece (spiece.model) or
// byte-level BPE, by the files it has. Throws InputError, for other kinds with their name.
// `added_tokens` join it as `add_tokens` of transformers adds them: those that are tokens already
// keep their ids, the others get the next ones in order.
std::unique_ptr<GenerationTokenizer> open_generation_tokenizer(
    const std::filesystem::path& model_directory,
    const std::vector<std::string>& added_tokens = {});

// What transformers can do to decoded text: take out blanks that its first tokenizers put there.

// clean_up_tokenization of transformers: no blank before . ? ! , n't 'm 's 've 're, and none around
// an apostrophe that stands alone.
void clean_up_spaces(std::string& text);

}  // namespace rubric::text
