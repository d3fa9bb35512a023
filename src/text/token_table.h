// The tokens of a vocabulary and those added to it, by id and by text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/added_tokens.h"
#include "text/vocabulary.h"

namespace rubric {

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

}  // namespace rubric
