// The tokens of a vocabulary by their text: an open-addressing hash table over one string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::text {

class Vocabulary {
 public:
  static constexpr size_t kLongestToken = 512;  // bytes; a word has at most 100 characters

  // Adds a token of 1 … kLongestToken bytes; returns false, adding nothing, if it is there already.
  bool add(std::string_view token, int32_t id);

  int32_t find(std::string_view token) const;  // its id, -1 when it is not there

  struct Match {
    int32_t id = -1;    // -1: nothing matches
    size_t length = 0;  // bytes of the text that are matched
  };
  // The longest token that is `before` followed by a prefix of `text`.
  Match longest_match(std::string_view text, std::string_view before = "") const;

  size_t count() const { return ids_.size(); }
  std::string_view token(size_t index) const;  // index: 0 … count()-1, in the order of adding
  int32_t id(size_t index) const { return ids_[index]; }

 private:
  struct Slot {
    uint32_t tag = 0;    // half of the hash, so that most misses never look at the text
    int32_t index = -1;  // of the token; -1: an empty slot
  };

  int32_t find_index(uint64_t hash, std::string_view before, std::string_view text) const;
  void insert(uint64_t hash, int32_t index);
  void grow();

  std::string characters_;          // of all tokens, one after another
  std::vector<size_t> ends_ = {0};  // token i is characters_[ends_[i], ends_[i + 1])
  std::vector<int32_t> ids_;
  std::vector<Slot> slots_;   // a power of two, at most half of them in use
  size_t longest_token_ = 0;  // in bytes
};

// Tokens that are found in the text before it is cut into words: [CLS], [SEP] and any that a model
// adds to its vocabulary (AddedVocabulary of `tokenizers`).

struct AddedToken {
  std::string content;
  std::string pattern;  // what is looked for: `content`, normalised when `normalized` is set
  int32_t id = 0;
  bool single_word = false;  // only where no word character stands beside it
  bool lstrip = false;       // takes the white space before it along
  bool rstrip = false;       // takes the white space behind it along
  bool normalized = false;   // looked for in the normalised text, not in the text as given
  bool special = false;      // left out of decoded text on request
};

// A part of a text: an added token, or the text between two of them.
struct TextPart {
  std::string_view text;
  int32_t id = -1;  // of the added token; -1: text
};

// Finds added tokens by their patterns, at each place the longest. Raw and normalised text are the
// caller's business: it has a finder for each.
class AddedTokenFinder {
 public:
  // Of tokens with the same pattern the first counts.
  void add(AddedToken token);
  // Replaces `parts` by the parts of `text`, in order. They point into `text`.
  void split(std::string_view text, std::vector<TextPart>& parts) const;

 private:
  std::vector<AddedToken> tokens_;
  Vocabulary patterns_;          // pattern → index in tokens_
  bool starts_token_[256] = {};  // by first byte
};

// The tokens of a vocabulary and those added to it, by id and by text.

class TokenTable {
 public:
  // The added tokens may be in the vocabulary already, with the same ids.
  TokenTable(const Vocabulary& vocabulary, const std::vector<AddedToken>& added_tokens);

  int64_t find(std::string_view token) const { return by_text_.find(token); }  // -1: not there

  struct Entry {
    std::string_view text;  // empty: no token has the id
    bool is_added = false;
    bool is_special = false;  // only added tokens are
  };
  Entry entry(int64_t id) const;  // any id

 private:
  void add(std::string_view token, int32_t id);

  Vocabulary by_text_;
  std::vector<int32_t> index_;               // in by_text_, by id; -1: no token has the id
  std::vector<bool> is_added_, is_special_;  // by id
};

}  // namespace rubric::text
