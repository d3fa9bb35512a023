// The tokens of a vocabulary by their text: an open-addressing hash table over one string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

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

}  // namespace rubric
