// What turns text into the ids of an encoder's vocabulary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Appends the ids of `text` to `ids`, without special tokens around them. Any bytes will do: each
  // maximal invalid part of UTF-8 counts as one U+FFFD. May be called from several threads at once.
  virtual void encode(std::string_view text, std::vector<int64_t>& ids) const = 0;

  virtual int64_t size() const = 0;    // the largest id and one: rows of the embedding
  virtual int64_t cls_id() const = 0;  // begins a row
  virtual int64_t sep_id() const = 0;  // ends a field of it

  // SHA-256 over all that ids depend on: equal fingerprints give equal ids.
  virtual const std::string& fingerprint() const = 0;
};

// The tokenizer of a model directory in Hugging Face's layout. Throws InputError.
std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model_directory);

}  // namespace rubric
