// Tokens that are found in the text before it is cut into words: [CLS], [SEP] and any that a model
// adds to its vocabulary (AddedVocabulary of `tokenizers`).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace rubric {

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

}  // namespace rubric
