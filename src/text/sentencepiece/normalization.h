// The characters that a SentencePiece model replaces before it cuts a text (NFKC and more): the
// precompiled_charsmap of spiece.model, a double-array trie (Aoe 1989) and the texts it leads to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

class Charsmap {
 public:
  // `bytes`: the length of the trie, the trie, replacements that end with NUL each. None at all
  // replaces nothing. Throws InputError naming `where` when that does not fit together.
  Charsmap(std::string_view bytes, const std::string& where);

  // Appends what becomes of valid UTF-8, as Precompiled of `tokenizers` does it: clusters of less
  // than six bytes are replaced whole by what their shortest known prefix leads to, others
  // character by character. (libsentencepiece replaces the longest known prefix at each place.)
  void append_normalized(std::string_view text, std::string& out) const;

 private:
  size_t end_of_plain(std::string_view text, size_t position) const;
  std::optional<std::string_view> replacement(std::string_view text) const;

  std::vector<uint32_t> units_;
  std::string replacements_;
  bool is_plain_[128] = {};  // of ASCII: not replaced when it stands alone
};

}  // namespace rubric
