#include "text/sentencepiece/sentencepiece.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/hash.h"
#include "core/json/json.h"
#include "core/text/utf8.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {

namespace {

std::string fingerprint_of(const SentencePieceTokenizerFiles& files) {
  const PreTokenization& pre_tokenization = files.pre_tokenization;
  std::string text = "unigram " + std::to_string(files.model.unknown_id) + " " +
                     std::to_string(static_cast<int>(pre_tokenization.prefix)) +
                     (pre_tokenization.splits_at_white_space   ? " 1"
                      : pre_tokenization.splits_at_punctuation ? " 2"
                                                               : " 0") +
                     "\n" + files.normalizer.description() + std::to_string(files.cls_id) + " " +
                     std::to_string(files.sep_id) +
                     tokens_text(files.model.pieces, files.added_tokens);
  for (const double score : files.model.scores) text += "\n" + Json(score).dump();
  return sha256(text);
}

GenerationTokens tokens_of(const SentencePieceTokenizerFiles& files) {
  return {.table = TokenTable(files.model.pieces, files.added_tokens),
          .eos_id = files.eos_id,
          .around = files.around,
          .clean_up_spaces = files.clean_up_spaces};
}

}  // namespace

SentencePiece SentencePiece::from_directory(const std::filesystem::path& model_directory,
                                            const std::vector<std::string>& added_tokens) {
  SentencePieceTokenizerFiles files = read_sentencepiece_directory(model_directory);
  add_new_tokens(added_tokens, files.model.pieces, files.added_tokens);
  for (AddedToken& token : files.added_tokens) {
    token.pattern = token.content;
    if (!token.normalized) continue;
    files.normalizer.normalize(token.content, token.pattern);
    check_token(token.pattern,
                model_directory.string() + ": added token " + json_quote(token.content));
  }
  return SentencePiece(std::move(files));
}

SentencePiece::SentencePiece(SentencePieceTokenizerFiles files)
    : GenerationTokenizer(tokens_of(files)),
      fingerprint_(fingerprint_of(files)),
      normalizer_(std::move(files.normalizer)),
      pre_tokenization_(files.pre_tokenization),
      unigram_(files.model.pieces, files.model.scores, files.model.unknown_id),
      size_(count_ids(files.model.pieces, files.added_tokens)),
      cls_id_(files.cls_id),
      sep_id_(files.sep_id) {
  for (const AddedToken& token : files.added_tokens) {
    (token.normalized ? normalized_tokens_ : raw_tokens_).add(token);
  }
}

void SentencePiece::encode(std::string_view text, std::vector<int64_t>& ids) const {
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
    normalizer_.normalize(part.text, scratch.normalized);
    normalized_tokens_.split(scratch.normalized, scratch.inner_parts);
    for (const TextPart& inner : scratch.inner_parts) {
      if (inner.id >= 0) {
        ids.push_back(inner.id);
      } else {
        const bool is_first = starts_text && inner.text.data() == scratch.normalized.data();
        encode_normalized(inner.text, is_first, ids);
      }
    }
  }
}

void SentencePiece::encode_normalized(std::string_view text, bool starts_text,
                                      std::vector<int64_t>& ids) const {
  for_each_word(pre_tokenization_, text, starts_text,
                [&](std::string_view word) { unigram_.append_ids(word, ids); });
}

// As the decoder Metaspace of `tokenizers`, which removes all spaces of the first token.
std::string SentencePiece::join(std::span<const std::string_view> tokens) const {
  std::string text;
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::string_view rest = tokens[i];
    while (!rest.empty()) {
      const size_t mark = std::min(rest.find(kBlankMark), rest.size());
      text += rest.substr(0, mark);
      if (mark == rest.size()) break;
      if (i > 0 || !pre_tokenization_.drops_first_blank) text += ' ';
      rest.remove_prefix(mark + kBlankMark.size());
    }
  }
  return text;
}

namespace {

constexpr double kUnknownPenalty = 10;
constexpr size_t kNowhere = static_cast<size_t>(-1);

// The best segmentation of the text before a position: its sum of scores and its last piece.
struct Place {
  double score = 0;
  size_t start = kNowhere;  // of the last piece; kNowhere: no piece ends here
  int32_t id = -1;
};

void consider(Place& place, double score, size_t start, int32_t id) {
  if (place.start == kNowhere || score > place.score) place = {score, start, id};
}

}  // namespace

Unigram::Unigram(const Vocabulary& pieces, std::vector<double> scores, int32_t unknown_id)
    : scores_(std::move(scores)), unknown_id_(unknown_id) {
  for (size_t i = 0; i < pieces.count(); ++i) {
    trie_.add(pieces.token(i), static_cast<int32_t>(i));
    ids_.push_back(pieces.id(i));
  }
  const auto lowest = std::ranges::min_element(scores_);
  unknown_score_ = (lowest == scores_.end() ? 0 : *lowest) - kUnknownPenalty;
}

void Unigram::append_ids(std::string_view word, std::vector<int64_t>& ids) const {
  thread_local std::vector<Place> places;
  places.assign(word.size() + 1, Place{});
  for (size_t start = 0; start < word.size();) {
    const double score = places[start].score;
    size_t next = start;
    decode_utf8(word, next);
    bool is_covered = false;
    PieceTrie::Walk walk;
    for (size_t end = start; end < word.size() && trie_.step(walk, word[end]);) {
      ++end;
      if (walk.value < 0) continue;
      const auto piece = static_cast<size_t>(walk.value);
      consider(places[end], score + scores_[piece], start, ids_[piece]);
      if (end == next) is_covered = true;
    }
    if (!is_covered) consider(places[next], score + unknown_score_, start, unknown_id_);
    start = next;
  }
  const size_t before = ids.size();
  for (size_t end = word.size(); end > 0; end = places[end].start) {
    const bool continues_unknown = ids.size() > before && ids.back() == unknown_id_;
    if (places[end].id != unknown_id_ || !continues_unknown) ids.push_back(places[end].id);
  }
  std::reverse(ids.begin() + static_cast<ptrdiff_t>(before), ids.end());
}

void PieceTrie::add(std::string_view text, int32_t value) {
  uint32_t node = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (2 * (size_t{nodes_} + 1) > edges_.size()) grow();
    const auto byte = static_cast<unsigned char>(text[i]);
    Edge& edge = edges_[slot_of(node, byte)];
    if (edge.to == 0) edge = {node, nodes_++, -1, byte};
    if (i + 1 == text.size()) edge.value = value;
    node = edge.to;
  }
}

bool PieceTrie::step(Walk& walk, char byte) const {
  if (edges_.empty()) return false;
  const Edge& edge = edges_[slot_of(walk.node, static_cast<unsigned char>(byte))];
  walk = {edge.to, edge.value};
  return edge.to != 0;
}

size_t PieceTrie::slot_of(uint32_t from, unsigned char byte) const {
  const size_t mask = edges_.size() - 1;
  const uint64_t hash = (uint64_t{from} << 8 | byte) * 0x9E3779B97F4A7C15u;
  for (size_t slot = (hash >> 32) & mask;; slot = (slot + 1) & mask) {
    const Edge& edge = edges_[slot];
    if (edge.to == 0 || (edge.from == from && edge.byte == byte)) return slot;
  }
}

void PieceTrie::grow() {
  std::vector<Edge> old(std::max<size_t>(64, 2 * edges_.size()));
  old.swap(edges_);
  for (const Edge& edge : old) {
    if (edge.to != 0) edges_[slot_of(edge.from, edge.byte)] = edge;
  }
}

}  // namespace rubric::text
