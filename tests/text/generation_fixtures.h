// What the tests of tokenizers that turn ids into text share.
#pragma once

#include <map>
#include <memory>

#include "paths.h"
#include "text/tokenizer.h"
#include "text/tokenizer_fixtures.h"

namespace rubric {

inline std::filesystem::path generation_fixture(const std::string& name) {
  return std::filesystem::path(fixtures_folder()) / "generation_tokenizers" / name;
}

inline std::filesystem::path decoder_fixture(const std::string& name) {
  return std::filesystem::path(fixtures_folder()) / "decoder_tokenizers" / name;
}

// Tokenizers of the fixtures by their folder, opened once.
class GenerationFixtures {
 public:
  explicit GenerationFixtures(std::vector<std::string> added_tokens = {},
                              std::string folder = "generation_tokenizers")
      : added_tokens_(std::move(added_tokens)), folder_(std::move(folder)) {}

  const text::GenerationTokenizer& operator[](const std::string& name) {
    std::unique_ptr<text::GenerationTokenizer>& tokenizer = tokenizers_[name];
    if (!tokenizer)
      tokenizer = text::open_generation_tokenizer(
          std::filesystem::path(fixtures_folder()) / folder_ / name, added_tokens_);
    return *tokenizer;
  }
  size_t count() const { return tokenizers_.size(); }

 private:
  std::vector<std::string> added_tokens_;
  std::string folder_;
  std::map<std::string, std::unique_ptr<text::GenerationTokenizer>> tokenizers_;
};

// A case of a fixture: a text (where there is one), its ids, and what these decode to.
inline void compare_case(const text::GenerationTokenizer& tokenizer, const Json& one) {
  SCOPED_TRACE(one.dump());
  const Ids ids = ids_of(one.require("ids", ""));
  if (const Json* const text = one.find("text"); text != nullptr) {
    EXPECT_EQ(encode(tokenizer, text->string()), ids);
  }
  const std::string& decoded = one.require_string("decoded", "");
  EXPECT_EQ(tokenizer.decode(ids), decoded);
  const Json* const all = one.find("all");
  EXPECT_EQ(tokenizer.decode(ids, false), all == nullptr ? decoded : all->string());
}

}  // namespace rubric
