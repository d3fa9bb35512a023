#include "text/added_tokens.h"

#include <algorithm>
#include <utility>

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric {
namespace {

bool stands_alone(std::string_view text, size_t start, size_t end) {
  if (start > 0 && is_word_character(decode_utf8_backwards(text, start))) return false;
  return end == text.size() || !is_word_character(decode_utf8(text, end));
}

size_t before_white_space(std::string_view text, size_t position) {
  size_t start = position;
  while (position > 0 && is_white_space(decode_utf8_backwards(text, position))) start = position;
  return start;
}

size_t behind_white_space(std::string_view text, size_t position) {
  size_t end = position;
  while (position < text.size() && is_white_space(decode_utf8(text, position))) end = position;
  return end;
}

}  // namespace

void AddedTokenFinder::add(AddedToken token) {
  if (!patterns_.add(token.pattern, static_cast<int32_t>(tokens_.size()))) return;
  starts_token_[static_cast<unsigned char>(token.pattern.front())] = true;
  tokens_.push_back(std::move(token));
}

void AddedTokenFinder::split(std::string_view text, std::vector<TextPart>& parts) const {
  parts.clear();
  size_t done = 0;  // everything before is in parts
  for (size_t position = 0; !tokens_.empty() && position < text.size();) {
    if (!starts_token_[static_cast<unsigned char>(text[position])]) {
      ++position;
      continue;
    }
    const Vocabulary::Match match = patterns_.longest_match(text.substr(position));
    if (match.id < 0) {
      ++position;
      continue;
    }
    const AddedToken& token = tokens_[static_cast<size_t>(match.id)];
    size_t start = position, end = position + match.length;
    position = end;  // even when the match is refused: matches never overlap
    if (token.single_word && !stands_alone(text, start, end)) continue;
    if (token.lstrip) start = std::max(before_white_space(text, start), done);
    if (token.rstrip) end = behind_white_space(text, end);
    if (done < start) parts.push_back({text.substr(done, start - done), -1});
    parts.push_back({text.substr(start, end - start), token.id});
    done = end;
  }
  if (done < text.size()) parts.push_back({text.substr(done), -1});
}

}  // namespace rubric
