#include "text/vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

namespace {

// FNV-1a: the hash of a text continues the hash of its prefix, so that one pass over a word hashes
// all its prefixes.
constexpr uint64_t kEmptyHash = 0xCBF29CE484222325u;

constexpr uint64_t extend(uint64_t hash, char c) {
  return (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
}

constexpr uint64_t extend(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = extend(hash, c);
  return hash;
}

constexpr uint32_t tag_of(uint64_t hash) {
  return static_cast<uint32_t>(hash >> 32);
}

// Mixes in high bits: FNV's low bits are weak for short texts.
constexpr size_t first_slot(uint64_t hash) {
  return static_cast<size_t>(hash ^ (hash >> 29));
}

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

std::string_view Vocabulary::token(size_t index) const {
  return std::string_view(characters_).substr(ends_[index], ends_[index + 1] - ends_[index]);
}

bool Vocabulary::add(std::string_view token, int32_t id) {
  if (find(token) >= 0) return false;
  if (2 * (count() + 1) > slots_.size()) grow();
  insert(extend(kEmptyHash, token), static_cast<int32_t>(count()));
  characters_.append(token);
  ends_.push_back(characters_.size());
  ids_.push_back(id);
  longest_token_ = std::max(longest_token_, std::min(token.size(), kLongestToken));
  return true;
}

int32_t Vocabulary::find(std::string_view token) const {
  const int32_t index = find_index(extend(kEmptyHash, token), "", token);
  return index < 0 ? -1 : id(static_cast<size_t>(index));
}

Vocabulary::Match Vocabulary::longest_match(std::string_view text, std::string_view before) const {
  std::array<uint64_t, kLongestToken + 1> hashes;  // hashes[n]: of `before` and n bytes of text
  const size_t longest = std::min(text.size(), longest_token_);
  hashes[0] = extend(kEmptyHash, before);
  for (size_t n = 0; n < longest; ++n) hashes[n + 1] = extend(hashes[n], text[n]);
  for (size_t length = longest; length > 0; --length) {
    const int32_t index = find_index(hashes[length], before, text.substr(0, length));
    if (index >= 0) return {id(static_cast<size_t>(index)), length};
  }
  return {};
}

int32_t Vocabulary::find_index(uint64_t hash, std::string_view before,
                               std::string_view text) const {
  if (slots_.empty()) return -1;
  const size_t mask = slots_.size() - 1;
  for (size_t slot = first_slot(hash) & mask;; slot = (slot + 1) & mask) {
    const Slot& entry = slots_[slot];
    if (entry.index < 0) return -1;
    if (entry.tag != tag_of(hash)) continue;
    const std::string_view found = token(static_cast<size_t>(entry.index));
    if (found.size() == before.size() + text.size() && found.starts_with(before) &&
        found.ends_with(text)) {
      return entry.index;
    }
  }
}

void Vocabulary::insert(uint64_t hash, int32_t index) {
  const size_t mask = slots_.size() - 1;
  size_t slot = first_slot(hash) & mask;
  while (slots_[slot].index >= 0) slot = (slot + 1) & mask;
  slots_[slot] = {tag_of(hash), index};
}

void Vocabulary::grow() {
  slots_.assign(std::max<size_t>(64, 2 * slots_.size()), Slot{});
  for (size_t i = 0; i < count(); ++i) {
    insert(extend(kEmptyHash, token(i)), static_cast<int32_t>(i));
  }
}

void AddedTokenFinder::add(AddedToken token) {
  if (!patterns_.add(token.pattern, static_cast<int32_t>(tokens_.size()))) return;
  starts_token_[static_cast<unsigned char>(token.pattern.front())] = true;
  tokens_.push_back(std::move(token));
}

void AddedTokenFinder::split(std::string_view text, std::vector<TextPart>& parts) const {
  parts.clear();
  size_t done = 0;  // the text before it is in parts
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
    position = end;  // even if the match is rejected: matches never overlap
    if (token.single_word && !stands_alone(text, start, end)) continue;
    if (token.lstrip) start = std::max(before_white_space(text, start), done);
    if (token.rstrip) end = behind_white_space(text, end);
    if (done < start) parts.push_back({text.substr(done, start - done), -1});
    parts.push_back({text.substr(start, end - start), token.id});
    done = end;
  }
  if (done < text.size()) parts.push_back({text.substr(done), -1});
}

TokenTable::TokenTable(const Vocabulary& vocabulary, const std::vector<AddedToken>& added_tokens) {
  for (size_t i = 0; i < vocabulary.count(); ++i) add(vocabulary.token(i), vocabulary.id(i));
  for (const AddedToken& token : added_tokens) {
    add(token.content, token.id);
    is_added_[static_cast<size_t>(token.id)] = true;
    is_special_[static_cast<size_t>(token.id)] = token.special;
  }
}

void TokenTable::add(std::string_view token, int32_t id) {
  const auto row = static_cast<size_t>(id);
  if (row >= index_.size()) {
    index_.resize(row + 1, -1);
    is_added_.resize(row + 1, false);
    is_special_.resize(row + 1, false);
  }
  const auto index = static_cast<int32_t>(by_text_.count());
  if (by_text_.add(token, id)) index_[row] = index;
}

TokenTable::Entry TokenTable::entry(int64_t id) const {
  if (id < 0 || id >= static_cast<int64_t>(index_.size())) return {};
  const auto row = static_cast<size_t>(id);
  if (index_[row] < 0) return {};
  return {by_text_.token(static_cast<size_t>(index_[row])), is_added_[row], is_special_[row]};
}

}  // namespace rubric::text
