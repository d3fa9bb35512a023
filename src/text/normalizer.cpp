#include "text/normalizer.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "text/tokenizer_files/tokenizer_json.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

namespace {

constexpr const char* kUseOriginalModel = "use the file as it was published with the model";

uint32_t unit_at(std::string_view bytes, size_t at) {
  return static_cast<uint32_t>(little_endian(bytes.substr(at, 4)));
}

// The parts of a unit in Darts-clone's layout.
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

// Decodes RFC 4648's base64; nullopt for anything else.
std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

// The text between white space at the ends that are asked for.
std::string_view stripped(std::string_view text, bool at_start, bool at_end) {
  size_t begin = 0, end = text.size();
  for (size_t next = begin; at_start && begin < end && is_white_space(decode_utf8(text, next));) {
    begin = next;
  }
  for (size_t last = end;
       at_end && end > begin && is_white_space(decode_utf8_backwards(text, last));) {
    end = last;
  }
  return text.substr(begin, end - begin);
}

// With each run of two or more spaces replaced by `content`.
std::string with_blank_runs(std::string_view text, const std::string& content) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_not_of(' ', i), text.size());
    if (end - i >= 2) {
      result += content;
      i = end;
    } else {
      result += text[i++];
    }
  }
  return result;
}

// Each character's replacement, one after another.
template <class Append>
std::string mapped(std::string_view text, const Append& append) {
  std::string result;
  for (size_t position = 0; position < text.size();) append(decode_utf8(text, position), result);
  return result;
}

}  // namespace

Charsmap::Charsmap(std::string_view bytes, const std::string& where) {
  if (bytes.empty()) return;
  const size_t length = bytes.size() < 4 ? 0 : unit_at(bytes, 0);
  if (length == 0 || length % 4 != 0 || length > bytes.size() - 4) {
    throw InputError("the trie of precompiled_charsmap has " + std::to_string(length) +
                         " bytes of " + std::to_string(bytes.size()),
                     where, kUseOriginalModel);
  }
  for (size_t i = 4; i < 4 + length; i += 4) units_.push_back(unit_at(bytes, i));
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

// The end of the run of ASCII characters from `position` on that are not replaced.
size_t Charsmap::end_of_plain(std::string_view text, size_t position) const {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  while (position < text.size() && byte(position) < 0x80 && is_plain_[byte(position)]) {
    // May be followed by an accent.
    if (position + 1 < text.size() && byte(position + 1) >= 0x80) break;
    ++position;
  }
  return position;
}

// The replacement of the shortest prefix of `text` in the trie.
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
    // Out of range only in a malicious file.
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

Normalizer Normalizer::of_spiece_model(std::string_view charsmap, const std::string& where) {
  Normalizer normalizer;
  normalizer.steps_ = {precompiled_step(charsmap, where),
                       {.kind = Kind::strip, .at_end = true},
                       {.kind = Kind::replace_blanks, .content = std::string(kBlankMark)}};
  return normalizer;
}

Normalizer Normalizer::of_deberta_model(std::string_view charsmap, bool lowercases,
                                        const std::string& where) {
  Normalizer normalizer;
  if (lowercases) normalizer.steps_.push_back({.kind = Kind::lowercase});
  normalizer.steps_.push_back({.kind = Kind::strip, .at_start = true, .at_end = true});
  if (!charsmap.empty()) {
    normalizer.steps_.push_back(precompiled_step(charsmap, where));
  }
  normalizer.steps_.push_back({.kind = Kind::replace_blanks, .content = " "});
  return normalizer;
}

Normalizer Normalizer::of_rembert_model(std::string_view charsmap, bool keeps_accents,
                                        bool lowercases, const std::string& where) {
  Normalizer normalizer;
  for (const char* const quote : {"``", "''"}) {
    normalizer.steps_.push_back({.kind = Kind::replace, .pattern = quote, .content = "\""});
  }
  normalizer.steps_.push_back({.kind = Kind::replace_blanks, .content = " "});
  if (!keeps_accents) {
    normalizer.steps_.push_back({.kind = Kind::nfkd});
    normalizer.steps_.push_back({.kind = Kind::strip_accents});
  }
  if (lowercases) normalizer.steps_.push_back({.kind = Kind::lowercase});
  if (!charsmap.empty()) normalizer.steps_.push_back(precompiled_step(charsmap, where));
  return normalizer;
}

Normalizer Normalizer::from_json(const Json& json, const std::string& where) {
  return from_steps(flattened_steps(json, where), where);
}

Normalizer Normalizer::from_steps(std::span<const Json* const> steps, const std::string& where) {
  Normalizer normalizer;
  for (const Json* const step : steps) normalizer.steps_.push_back(read_step(*step, where));
  return normalizer;
}

Normalizer::Step Normalizer::precompiled_step(std::string_view charsmap, const std::string& where) {
  return {.kind = Kind::precompiled,
          .charsmap = std::make_shared<Charsmap>(charsmap, where),
          .charsmap_hash = sha256(charsmap)};
}

Normalizer::Step Normalizer::read_step(const Json& json, const std::string& where) {
  constexpr std::pair<std::string_view, Kind> kPlain[] = {{"NFC", Kind::nfc},
                                                          {"NFD", Kind::nfd},
                                                          {"NFKC", Kind::nfkc},
                                                          {"NFKD", Kind::nfkd},
                                                          {"Lowercase", Kind::lowercase},
                                                          {"StripAccents", Kind::strip_accents}};
  const std::string& type = json.require_string("type", where);
  for (const auto& [name, kind] : kPlain) {
    if (type == name) return {.kind = kind};
  }
  if (type == "Precompiled") {
    const Json* const map = json.find("precompiled_charsmap");
    const bool is_empty = map == nullptr || map->is_null();
    const auto bytes =
        from_base64(is_empty ? "" : json.require_string("precompiled_charsmap", where));
    if (!bytes) {
      throw InputError("precompiled_charsmap is not base64", where, kUseOriginalModel);
    }
    return precompiled_step(*bytes, where);
  }
  if (type == "Strip") {
    return {.kind = Kind::strip,
            .at_start = json.require_boolean("strip_left", where),
            .at_end = json.require_boolean("strip_right", where)};
  }
  if (type == "Prepend") {
    return {.kind = Kind::prepend, .content = json.require_string("prepend", where)};
  }
  if (type == "Replace") {
    const Json& pattern = json.require("pattern", where);
    const std::string& content = json.require_string("content", where);
    const Json* const text = pattern.find("String");
    if (text != nullptr && text->is_string() && !text->string().empty()) {
      return {.kind = Kind::replace, .pattern = text->string(), .content = content};
    }
    if (has_value(pattern, "Regex", "\" {2,}\"")) {
      return {.kind = Kind::replace_blanks, .content = content};
    }
  }
  refuse_step(json, where);
}

void Normalizer::apply(const Step& step, std::string& text) {
  switch (step.kind) {
    case Kind::precompiled: {
      std::string result;
      step.charsmap->append_normalized(text, result);
      text = std::move(result);
      break;
    }
    case Kind::nfc:
      text = normal_form(text, NormalForm::c);
      break;
    case Kind::nfd:
      text = normal_form(text, NormalForm::d);
      break;
    case Kind::nfkc:
      text = normal_form(text, NormalForm::kc);
      break;
    case Kind::nfkd:
      text = normal_form(text, NormalForm::kd);
      break;
    case Kind::lowercase:
      text = mapped(text, [](char32_t c, std::string& out) { append_lower_case(c, out); });
      break;
    case Kind::strip_accents:
      text = mapped(text, [](char32_t c, std::string& out) {
        if (!is_mark(c)) append_utf8(c, out);
      });
      break;
    case Kind::strip:
      if (const auto inner = stripped(text, step.at_start, step.at_end);
          inner.size() < text.size()) {
        text = std::string(inner);
      }
      break;
    case Kind::prepend:
      if (!text.empty()) text.insert(0, step.content);
      break;
    case Kind::replace:
      replace_all(text, step.pattern, step.content);
      break;
    case Kind::replace_blanks:
      if (text.find("  ") != std::string::npos) text = with_blank_runs(text, step.content);
      break;
  }
}

void Normalizer::normalize(std::string_view text, std::string& out) const {
  out = text;
  for (const Step& step : steps_) apply(step, out);
}

std::string Normalizer::description() const {
  std::string text;
  for (const Step& step : steps_) {
    text += std::to_string(static_cast<int>(step.kind)) + " " + json_quote(step.pattern) + " " +
            json_quote(step.content) + (step.at_start ? " 1" : " 0") + (step.at_end ? " 1" : " 0") +
            " " + step.charsmap_hash + "\n";
  }
  return text;
}

}  // namespace rubric::text
