#include "text/sentencepiece/normalization.h"

#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

namespace {

constexpr const char* kUseOriginalModel = "use spiece.model as it was published with the model";

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

constexpr const char* kUseT5Tokenizer = "use a model with the tokenizer of T5";

[[noreturn]] void refuse(const Json& step, const std::string& where) {
  throw InputError("T5's tokenizer has no step " + step.dump().substr(0, 200), where,
                   kUseT5Tokenizer);
}

bool is_value(const Json& step, std::string_view key, std::string_view json) {
  const Json* const found = step.find(key);
  return found != nullptr && found->dump() == json;
}

// The steps of a Sequence under `list`, else `part` itself as the only step; empty for null.
std::vector<const Json*> steps_of(const Json& part, std::string_view list,
                                  const std::string& where) {
  std::vector<const Json*> steps;
  if (part.is_null()) return steps;
  if (!is_value(part, "type", "\"Sequence\"")) return {&part};
  for (const Json& step : part.require_array(list, where)) steps.push_back(&step);
  return steps;
}

void read_normalizer_json(const Json& normalizer, const std::string& where,
                          PreTokenization& pre_tokenization) {
  pre_tokenization.replaces_characters = false;
  pre_tokenization.strips_end = false;
  pre_tokenization.blank_run.clear();
  for (const Json* const step : steps_of(normalizer, "normalizers", where)) {
    const std::string& type = step->require_string("type", where);
    const bool is_done = !pre_tokenization.blank_run.empty();
    if (type == "Precompiled" && !pre_tokenization.strips_end && !is_done) {
      pre_tokenization.replaces_characters = true;
    } else if (type == "Strip" && is_value(*step, "strip_left", "false") &&
               is_value(*step, "strip_right", "true") && !is_done) {
      pre_tokenization.strips_end = true;
    } else if (type == "Replace" &&
               is_value(step->require("pattern", where), "Regex", "\" {2,}\"")) {
      pre_tokenization.blank_run = step->require_string("content", where);
    } else {
      refuse(*step, where);
    }
  }
}

PreTokenization::Prefix read_prefix(const Json& metaspace, const std::string& where) {
  if (!is_value(metaspace, "type", "\"Metaspace\"") ||
      metaspace.require_string("replacement", where) != kBlankMark ||
      is_value(metaspace, "split", "false")) {
    refuse(metaspace, where);
  }
  const Json* const scheme = metaspace.find("prepend_scheme");
  if (scheme == nullptr) {  // before tokenizers 0.15
    return is_value(metaspace, "add_prefix_space", "false") ? PreTokenization::Prefix::never
                                                            : PreTokenization::Prefix::always;
  }
  if (scheme->dump() == "\"never\"") return PreTokenization::Prefix::never;
  if (scheme->dump() == "\"first\"") return PreTokenization::Prefix::first;
  if (scheme->dump() == "\"always\"") return PreTokenization::Prefix::always;
  refuse(metaspace, where);
}

void use_words(std::string_view text, const std::function<void(std::string_view)>& use) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(kBlankMark, 1), text.size());
    use(text.substr(0, end));
    text.remove_prefix(end);
  }
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

PreTokenization read_pre_tokenization(const Json& tokenizer, const std::string& file) {
  PreTokenization pre_tokenization;
  read_normalizer_json(tokenizer.require("normalizer", file), file + ": normalizer",
                       pre_tokenization);
  const std::string where = file + ": pre_tokenizer";
  const std::vector<const Json*> steps =
      steps_of(tokenizer.require("pre_tokenizer", file), "pretokenizers", where);
  if (steps.empty()) refuse(Json(), where);
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    if (!is_value(*steps[i], "type", "\"WhitespaceSplit\"")) refuse(*steps[i], where);
    pre_tokenization.splits_at_white_space = true;
  }
  pre_tokenization.prefix = read_prefix(*steps.back(), where);
  const Json& decoder = tokenizer.require("decoder", file);
  pre_tokenization.drops_first_blank =
      read_prefix(decoder, file + ": decoder") != PreTokenization::Prefix::never;
  return pre_tokenization;
}

void normalize_white_space(const PreTokenization& pre_tokenization, std::string& text) {
  if (pre_tokenization.strips_end) {
    size_t end = text.size();
    for (size_t start = end; start > 0 && is_white_space(decode_utf8_backwards(text, start));) {
      end = start;
    }
    text.resize(end);
  }
  if (pre_tokenization.blank_run.empty() || text.find("  ") == std::string::npos) return;
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_not_of(' ', i), text.size());
    if (end - i >= 2) {
      result += pre_tokenization.blank_run;
      i = end;
    } else {
      result += text[i++];
    }
  }
  text = std::move(result);
}

void for_each_word(const PreTokenization& pre_tokenization, std::string_view text, bool starts_text,
                   const std::function<void(std::string_view)>& use) {
  thread_local std::string marked;
  const auto use_marked = [&](std::string_view part, bool is_first) {
    marked.clear();
    const bool has_prefix = pre_tokenization.prefix == PreTokenization::Prefix::always ||
                            (pre_tokenization.prefix == PreTokenization::Prefix::first && is_first);
    if (has_prefix && !part.starts_with(' ') && !part.starts_with(kBlankMark)) marked = kBlankMark;
    for (const char c : part) {
      if (c == ' ') {
        marked += kBlankMark;
      } else {
        marked += c;
      }
    }
    use_words(marked, use);
  };
  if (text.empty()) return;
  if (!pre_tokenization.splits_at_white_space) return use_marked(text, starts_text);
  size_t start = 0;
  for (size_t position = 0; position < text.size();) {
    const size_t here = position;
    if (!is_white_space(decode_utf8(text, position))) continue;
    if (start < here) use_marked(text.substr(start, here - start), starts_text && start == 0);
    start = position;
  }
  if (start < text.size()) use_marked(text.substr(start), starts_text && start == 0);
}

}  // namespace rubric::text
