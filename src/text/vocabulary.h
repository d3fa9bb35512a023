// The tokens of a vocabulary: a hash table from text to id (Vocabulary), tokens that are found
// before text is split (AddedTokenFinder), and a table of both by id and text (TokenTable).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::text {

class Vocabulary {
 public:
  static constexpr size_t kLongestToken = 512;  // in bytes; a word has at most 100 characters

  // Adds a token of 1 … kLongestToken bytes; returns false and adds nothing if it exists already.
  bool add(std::string_view token, int32_t id);

  int32_t find(std::string_view token) const;  // the id; -1: no such token

  struct Match {
    int32_t id = -1;    // -1: nothing matches
    size_t length = 0;  // matched bytes of the text
  };
  // The longest token that is `before` followed by a prefix of `text`.
  Match longest_match(std::string_view text, std::string_view before = "") const;

  size_t count() const { return ids_.size(); }
  std::string_view token(size_t index) const;  // index: 0 … count()-1, in insertion order
  int32_t id(size_t index) const { return ids_[index]; }

 private:
  struct Slot {
    uint32_t tag = 0;    // half of the hash, so that most misses need no text comparison
    int32_t index = -1;  // of the token; -1: an empty slot
  };

  int32_t find_index(uint64_t hash, std::string_view before, std::string_view text) const;
  void insert(uint64_t hash, int32_t index);
  void grow();

  std::string characters_;          // of all tokens, one after another
  std::vector<size_t> ends_ = {0};  // token i is characters_[ends_[i], ends_[i + 1])
  std::vector<int32_t> ids_;
  std::vector<Slot> slots_;   // open addressing: a power of two, at most half in use
  size_t longest_token_ = 0;  // in bytes
};

// A token that is found before text is split into words: [CLS], [SEP] and those that a model adds
// to its vocabulary (AddedVocabulary of `tokenizers`).
struct AddedToken {
  std::string content;
  std::string pattern;  // the text to find: `content`, normalised if `normalized` is set
  int32_t id = 0;
  bool single_word = false;  // only where no word character is adjacent
  bool lstrip = false;       // absorbs white space before it
  bool rstrip = false;       // absorbs white space after it
  bool normalized = false;   // found in the normalised text, not in the raw text
  bool special = false;      // can be left out of decoded text
};

// A part of a text: an added token, or the text between two of them.
struct TextPart {
  std::string_view text;
  int32_t id = -1;  // of the added token; -1: text
};

// Finds added tokens by their patterns, the longest at each position. The caller has one finder for
// raw and one for normalised text.
class AddedTokenFinder {
 public:
  // If several tokens have the same pattern, the first one counts.
  void add(AddedToken token);
  // Sets `parts` to the parts of `text`, in order. They point into `text`.
  void split(std::string_view text, std::vector<TextPart>& parts) const;

 private:
  std::vector<AddedToken> tokens_;
  Vocabulary patterns_;          // pattern → index in tokens_
  bool starts_token_[256] = {};  // by first byte
};

// The tokens of a vocabulary and its added tokens, by id and by text.
class TokenTable {
 public:
  // Added tokens may also be in the vocabulary, with the same ids.
  TokenTable(const Vocabulary& vocabulary, const std::vector<AddedToken>& added_tokens);

  int64_t find(std::string_view token) const { return by_text_.find(token); }  // -1: no such token

  struct Entry {
    std::string_view text;  // empty: no token has this id
    bool is_added = false;
    bool is_special = false;  // only added tokens can be special
  };
  Entry entry(int64_t id) const;  // any id

 private:
  void add(std::string_view token, int32_t id);

  Vocabulary by_text_;
  std::vector<int32_t> index_;               // in by_text_, by id; -1: no token has the id
  std::vector<bool> is_added_, is_special_;  // by id
};

}  // namespace rubric::text
