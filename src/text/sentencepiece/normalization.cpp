#include "text/sentencepiece/normalization.h"

#include "core/error.h"
#include "core/text/utf8.h"
#include "text/unicode/grapheme.h"

namespace rubric {
namespace {

constexpr const char* kUseOriginalModel = "use spiece.model as it was published with the model";

uint32_t little_endian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

// The parts of a unit, as Darts-clone lays them out.
bool has_leaf(uint32_t unit) {
  return (unit >> 8 & 1) != 0;
}
uint32_t label(uint32_t unit) {
  return unit & (1u << 31 | 0xFF);
}
uint32_t offset(uint32_t unit) {
  return (unit >> 10) << ((unit & 1u << 9) >> 6);
}
uint32_t value(uint32_t unit) {
  return unit & ((1u << 31) - 1);
}

}  // namespace

Charsmap::Charsmap(std::string_view bytes, const std::string& where) {
  if (bytes.empty()) return;
  const size_t length = bytes.size() < 4 ? 0 : little_endian(bytes);
  if (length == 0 || length % 4 != 0 || length > bytes.size() - 4) {
    throw InputError("the trie of precompiled_charsmap has " + std::to_string(length) +
                         " bytes of " + std::to_string(bytes.size()),
                     where, kUseOriginalModel);
  }
  for (size_t i = 4; i < 4 + length; i += 4) units_.push_back(little_endian(bytes.substr(i)));
  replacements_ = bytes.substr(4 + length);
  if (!is_valid_utf8(replacements_)) {
    throw InputError("the replacements of precompiled_charsmap are not valid UTF-8", where,
                     kUseOriginalModel);
  }
  for (size_t c = 0; c < 128; ++c) {
    const char character = static_cast<char>(c);
    is_plain_[c] = character != '\r' && !replacement({&character, 1});  // "\r\n" is one cluster
  }
}

// Where the ASCII characters end that stand alone from `position` on and are not replaced.
size_t Charsmap::end_of_plain(std::string_view text, size_t position) const {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  while (position < text.size() && byte(position) < 0x80 && is_plain_[byte(position)]) {
    if (position + 1 < text.size() && byte(position + 1) >= 0x80) break;  // perhaps an accent
    ++position;
  }
  return position;
}

// What the shortest prefix of `text` that the trie knows leads to.
std::optional<std::string_view> Charsmap::replacement(std::string_view text) const {
  if (units_.empty()) return std::nullopt;
  size_t node = offset(units_.front());
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    node ^= byte;
    if (byte == 0 || node >= units_.size() || label(units_[node]) != byte) return std::nullopt;
    const bool is_known = has_leaf(units_[node]);
    node ^= offset(units_[node]);
    if (!is_known) continue;
    // Beyond the end only in a file made to be so.
    if (node >= units_.size() || value(units_[node]) >= replacements_.size()) return std::nullopt;
    return std::string_view(replacements_.c_str() + value(units_[node]));
  }
  return std::nullopt;
}

void Charsmap::append_normalized(std::string_view text, std::string& out) const {
  if (units_.empty()) {
    out += text;
    return;
  }
  constexpr size_t kLongCluster = 6;
  const auto append = [&](std::string_view part) { out += replacement(part).value_or(part); };
  for (size_t position = 0; position < text.size();) {
    if (const size_t end = end_of_plain(text, position); end > position) {
      out += text.substr(position, end - position);
      position = end;
      continue;
    }
    const size_t end = grapheme_end(text, position);
    if (end - position < kLongCluster) {
      if (const auto found = replacement(text.substr(position, end - position))) {
        out += *found;
        position = end;
        continue;
      }
    }
    while (position < end) {
      const size_t start = position;
      decode_utf8(text, position);
      append(text.substr(start, position - start));
    }
  }
}

}  // namespace rubric
