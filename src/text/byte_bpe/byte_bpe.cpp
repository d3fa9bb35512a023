#include "text/byte_bpe/byte_bpe.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "core/hash.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {

namespace {

std::string fingerprint_of(const ByteBpeModel& model) {
  std::string text = model.add_prefix_space ? "byte_bpe 1" : "byte_bpe 0";
  text += " " + std::to_string(model.cls_id) + " " + std::to_string(model.sep_id);
  text += model.normalizer.is_empty() ? "" : "\n" + model.normalizer.description();
  const bool is_gpt2 = model.steps.size() == 1 && model.steps[0].kind == PreTokenStep::Kind::gpt2;
  for (const PreTokenStep& step : is_gpt2 ? std::vector<PreTokenStep>{} : model.steps) {
    text += " split " + std::to_string(static_cast<int>(step.kind)) + " " +
            std::to_string(step.most_digits);
  }
  if (model.ignores_merges) text += " whole";
  if (const auto& fallback = model.fallback) {
    text += " fallback " + std::to_string(static_cast<int>(fallback->prefix)) +
            (fallback->has_metaspace ? " 1" : " 0") + (fallback->drops_first_space ? " 1" : " 0");
  }
  if (model.unknown_id >= 0) text += "unknown " + std::to_string(model.unknown_id) + "\n";
  if (model.unknown_id >= 0 && model.fuses_unknown) text += "fused\n";
  text += tokens_text(model.vocabulary, model.added_tokens);
  for (const Merge& merge : model.merges) {
    text += "\n" + std::to_string(merge.left) + "+" + std::to_string(merge.right);
  }
  return sha256(text);
}

std::vector<int32_t> ids_of_bytes(const ByteBpeModel& model) {
  std::vector<int32_t> ids;
  for (int byte = 0; byte < 256; ++byte) {
    const auto value = static_cast<uint8_t>(byte);
    const int32_t id =
        model.vocabulary.find(model.fallback ? byte_token(value) : byte_character(value));
    ids.push_back(id >= 0 ? id : model.unknown_id);
  }
  return ids;
}

// The byte of a token such as "<0xE2>".
std::optional<uint8_t> byte_of_token(std::string_view token) {
  uint8_t byte = 0;
  if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>')) return std::nullopt;
  const auto [end, error] = std::from_chars(&token[3], &token[5], byte, 16);
  return error == std::errc() && end == &token[5] ? std::optional(byte) : std::nullopt;
}

// As the decoder ByteFallback of `tokenizers`: each byte of a run that is not valid UTF-8 is
// U+FFFD.
void append_bytes(std::string& bytes, std::string& text) {
  if (is_valid_utf8(bytes)) {
    text += bytes;
  } else {
    for (size_t i = 0; i < bytes.size(); ++i) text += "\uFFFD";
  }
  bytes.clear();
}

GenerationTokens tokens_of(const ByteBpeModel& model) {
  return {.table = TokenTable(model.vocabulary, model.added_tokens),
          .eos_id = model.eos_id,
          .around = model.around,
          .clean_up_spaces = model.clean_up_spaces};
}

constexpr size_t kNone = static_cast<size_t>(-1);

// A token of a pre-token that is being merged, linked to its neighbours.
struct Symbol {
  int32_t id;
  size_t before, behind;  // kNone: no neighbour
};

// Two neighbours that can merge. Stale once one of them has merged with another.
struct Candidate {
  int32_t rank;
  size_t left;  // index of the left symbol
  int32_t left_id, right_id, merged;
};

// Orders a heap: the best merge is on top, of equal merges the first in the text.
bool is_worse(const Candidate& a, const Candidate& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
}

uint64_t pair_of(int32_t left, int32_t right) {
  return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

}  // namespace

ByteBpe ByteBpe::from_directory(const std::filesystem::path& model_directory,
                                const std::vector<std::string>& added_tokens) {
  ByteBpeModel model = read_byte_bpe_directory(model_directory);
  add_new_tokens(added_tokens, model.vocabulary, model.added_tokens);
  for (AddedToken& token : model.added_tokens) {
    token.pattern = token.content;
    if (!token.normalized || model.normalizer.is_empty()) continue;
    model.normalizer.normalize(token.content, token.pattern);
    check_token(token.pattern,
                model_directory.string() + ": added token " + json_quote(token.content));
  }
  return ByteBpe(model);
}

ByteBpe::ByteBpe(const ByteBpeModel& model)
    : GenerationTokenizer(tokens_of(model)),
      fingerprint_(fingerprint_of(model)),
      merges_(model.merges),
      steps_(model.steps),
      fallback_(model.fallback),
      byte_ids_(ids_of_bytes(model)),
      fused_id_(model.fuses_unknown ? model.unknown_id : -1),
      normalizer_(model.normalizer),
      add_prefix_space_(model.add_prefix_space),
      marks_first_word_(model.marks_first_word),
      size_(count_ids(model.vocabulary, model.added_tokens)),
      cls_id_(model.cls_id),
      sep_id_(model.sep_id) {
  for (const AddedToken& token : model.added_tokens) {
    (token.normalized ? normalized_tokens_ : raw_tokens_).add(token);
  }
  std::vector<int64_t> ids;
  for (size_t i = 0; i < model.vocabulary.count(); ++i) {
    const std::string_view token = model.vocabulary.token(i);
    if (fallback_) {
      size_t behind = 0;
      decode_utf8(token, behind);
      if (behind == token.size()) characters_.add(token, model.vocabulary.id(i));
      continue;
    }
    const auto bytes = token_bytes(token);
    if (!bytes) continue;
    ids.clear();
    if (model.ignores_merges) {
      ids = {model.vocabulary.id(i)};
    } else {
      merge(*bytes, ids);
    }
    if (ids.size() == 1) whole_pre_tokens_.add(*bytes, static_cast<int32_t>(ids.front()));
  }
}

void ByteBpe::encode(std::string_view text, std::vector<int64_t>& ids) const {
  struct Scratch {
    std::vector<TextPart> parts, inner_parts;
    std::string repaired, normalized;
  };
  thread_local Scratch scratch;  // reused between texts
  if (!is_valid_utf8(text)) text = scratch.repaired = repair_utf8(text);
  raw_tokens_.split(text, scratch.parts);
  for (const TextPart& part : scratch.parts) {
    if (part.id >= 0) {
      ids.push_back(part.id);
      continue;
    }
    const bool starts_text = part.text.data() == text.data();
    std::string_view normalized = part.text;
    if (!normalizer_.is_empty()) {
      normalizer_.normalize(part.text, scratch.normalized);
      normalized = scratch.normalized;
    }
    normalized_tokens_.split(normalized, scratch.inner_parts);
    for (const TextPart& inner : scratch.inner_parts) {
      if (inner.id >= 0) {
        ids.push_back(inner.id);
      } else {
        encode_part(inner.text, starts_text && inner.text.data() == normalized.data(), ids);
      }
    }
  }
}

void ByteBpe::encode_part(std::string_view text, bool starts_text,
                          std::vector<int64_t>& ids) const {
  thread_local std::string changed;
  if (!fallback_) {
    if (add_prefix_space_ && !text.starts_with(' ')) {
      changed = " ";
      text = changed += text;
    }
    return encode_pre_tokens(text, 0, ids);
  }
  if (fallback_->has_metaspace) {
    changed = text;
    replace_all(changed, " ", kBlankMark);
    const bool has_prefix = fallback_->prefix == PreTokenization::Prefix::always ||
                            (fallback_->prefix == PreTokenization::Prefix::first && starts_text);
    if (has_prefix && !changed.starts_with(kBlankMark)) changed.insert(0, kBlankMark);
    text = changed;
  }
  encode_characters(text, ids);
}

void ByteBpe::encode_pre_tokens(std::string_view text, size_t step,
                                std::vector<int64_t>& ids) const {
  std::string_view pre_token;
  for (size_t position = 0; next_pre_token(text, position, pre_token, steps_[step]);) {
    if (step + 1 < steps_.size()) {
      encode_pre_tokens(pre_token, step + 1, ids);
    } else if (const int32_t whole = whole_pre_tokens_.find(pre_token); whole >= 0) {
      ids.push_back(whole);
    } else {
      merge(pre_token, ids);
    }
  }
}

void ByteBpe::encode_characters(std::string_view text, std::vector<int64_t>& ids) const {
  const size_t first = ids.size();
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    decode_utf8(text, position);
    const std::string_view character = text.substr(start, position - start);
    if (const int32_t id = characters_.find(character); id >= 0) {
      ids.push_back(id);
      continue;
    }
    for (const char byte : character) ids.push_back(byte_ids_[static_cast<unsigned char>(byte)]);
  }
  merges_.merge(ids, first);
}

// As the decoder ByteLevel of `tokenizers`: concatenates the bytes, and replaces each maximal
// invalid part of UTF-8 by U+FFFD. A token with a character that represents no byte is kept as
// text.
std::string ByteBpe::join(std::span<const std::string_view> tokens) const {
  std::string bytes;
  if (fallback_) {
    std::string text;
    for (const std::string_view token : tokens) {
      if (const auto byte = byte_of_token(token)) {
        bytes += static_cast<char>(*byte);
        continue;
      }
      append_bytes(bytes, text);
      std::string with_spaces(token);
      replace_all(with_spaces, kBlankMark, " ");
      text += with_spaces;
    }
    append_bytes(bytes, text);
    if (fallback_->drops_first_space && text.starts_with(' ')) text.erase(0, 1);
    return text;
  }
  for (const std::string_view token : tokens) {
    const auto known = token_bytes(token);
    bytes += known ? *known : token;
  }
  return is_valid_utf8(bytes) ? bytes : repair_utf8(bytes);
}

void ByteBpe::merge(std::string_view bytes, std::vector<int64_t>& ids) const {
  const size_t first = ids.size();
  for (const char byte : bytes) {
    const int32_t id = byte_ids_[static_cast<unsigned char>(byte)];
    if (id >= 0 && (id != fused_id_ || ids.size() == first || ids.back() != id)) ids.push_back(id);
  }
  merges_.merge(ids, first);
}

MergeTable::MergeTable(const std::vector<Merge>& merges)
    : slots_(std::bit_ceil(std::max<size_t>(2, 2 * merges.size()))) {
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const Merge& merge = merges[rank];
    const uint64_t parts = pair_of(merge.left, merge.right);
    slots_[slot_of(parts)] = {parts, {static_cast<int32_t>(rank), merge.merged}};
  }
}

MergeTable::Found MergeTable::find(int32_t left, int32_t right) const {
  return slots_[slot_of(pair_of(left, right))].found;
}

void MergeTable::merge(std::vector<int64_t>& tokens, size_t first) const {
  struct Scratch {
    std::vector<Symbol> symbols;
    std::vector<Candidate> heap;
  };
  thread_local Scratch scratch;  // reused between texts
  std::vector<Symbol>& symbols = scratch.symbols;
  std::vector<Candidate>& heap = scratch.heap;
  symbols.clear();
  heap.clear();
  const size_t count = tokens.size() - first;
  for (size_t i = 0; i < count; ++i) {
    symbols.push_back({static_cast<int32_t>(tokens[first + i]), i == 0 ? kNone : i - 1,
                       i + 1 < count ? i + 1 : kNone});
  }
  const auto consider = [&](size_t left) {
    if (left == kNone || symbols[left].behind == kNone) return;
    const int32_t left_id = symbols[left].id, right_id = symbols[symbols[left].behind].id;
    const Found found = find(left_id, right_id);
    if (found.rank >= 0) heap.push_back({found.rank, left, left_id, right_id, found.merged});
  };
  for (size_t i = 0; i + 1 < symbols.size(); ++i) consider(i);
  std::ranges::make_heap(heap, is_worse);
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, is_worse);
    const Candidate best = heap.back();
    heap.pop_back();
    Symbol& left = symbols[best.left];
    if (left.id != best.left_id || left.behind == kNone) continue;
    Symbol& right = symbols[left.behind];
    if (right.id != best.right_id) continue;
    left.id = best.merged;
    left.behind = right.behind;
    right.id = -1;
    if (left.behind != kNone) symbols[left.behind].before = best.left;
    for (const size_t changed : {left.before, best.left}) {
      const size_t size = heap.size();
      consider(changed);
      if (heap.size() > size) std::ranges::push_heap(heap, is_worse);
    }
  }
  tokens.resize(first);
  for (size_t i = 0; count > 0 && i != kNone; i = symbols[i].behind) {
    tokens.push_back(symbols[i].id);
  }
}

size_t MergeTable::slot_of(uint64_t parts) const {
  const size_t mask = slots_.size() - 1;
  const uint64_t hash = parts * 0x9E3779B97F4A7C15u;
  for (size_t slot = (hash >> 32) & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot].found.rank < 0 || slots_[slot].parts == parts) return slot;
  }
}

}  // namespace rubric::text
