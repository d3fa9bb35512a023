#include <bit>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "text/sentencepiece/sentencepiece_files.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {

namespace {

using Type = ProtobufField::Type;

void read_piece(std::string_view message, const std::string& file, SentencePieceModel& model) {
  const std::string where = file + ": piece " + std::to_string(model.pieces.count());
  std::string_view text;
  float score = 0;
  auto kind = static_cast<uint64_t>(PieceKind::normal);
  ProtobufReader reader(message, where);
  for (ProtobufField field; reader.next(field);) {
    if (field.number == 1 && field.type == Type::bytes) text = field.bytes;
    if (field.number == 2 && field.type == Type::fixed32) {
      score = std::bit_cast<float>(static_cast<uint32_t>(field.integer));
    }
    if (field.number == 3 && field.type == Type::integer) kind = field.integer;
  }
  if (!std::isfinite(score)) {
    throw InputError("the score is not finite", where, kUseOriginalTokenizer);
  }
  if (kind < static_cast<uint64_t>(PieceKind::normal) ||
      kind > static_cast<uint64_t>(PieceKind::byte)) {
    throw InputError("a piece has the unknown kind " + std::to_string(kind), where,
                     kUseOriginalTokenizer);
  }
  add_checked(text, static_cast<int64_t>(model.pieces.count()), where, model.pieces);
  model.scores.push_back(static_cast<double>(score));
  model.kinds.push_back(static_cast<PieceKind>(kind));
}

void read_trainer(std::string_view message, const std::string& file, SentencePieceKind kind,
                  SentencePieceModel& model) {
  ProtobufReader reader(message, file + ": trainer_spec");
  for (ProtobufField field; reader.next(field);) {
    if (field.type != Type::integer) continue;
    if (field.number == 3 && field.integer != static_cast<uint64_t>(kind)) {
      static constexpr const char* kNames[] = {"", "unigram", "BPE", "word", "character"};
      const std::string name =
          field.integer < 5 ? kNames[field.integer] : std::to_string(field.integer);
      throw InputError("the SentencePiece model has the type " + name + "; " +
                           kNames[static_cast<size_t>(kind)] + " is needed",
                       file,
                       kind == SentencePieceKind::bpe ? "fetch tokenizer.json, too"
                                                      : "use a model with the tokenizer of T5");
    }
    if (field.number == 40) model.unknown_id = static_cast<int32_t>(field.integer);
  }
}

void read_normalizer_spec(std::string_view message, const std::string& file,
                          SentencePieceModel& model) {
  ProtobufReader reader(message, file + ": normalizer_spec");
  for (ProtobufField field; reader.next(field);) {
    if (field.number == 2 && field.type == Type::bytes) model.charsmap = field.bytes;
  }
}

constexpr const char* kFetchFileAgain = "fetch the file again";

}  // namespace

SentencePieceModel parse_sentencepiece_model(std::string_view bytes, const std::string& where,
                                             SentencePieceKind kind) {
  SentencePieceModel model;
  ProtobufReader reader(bytes, where);
  for (ProtobufField field; reader.next(field);) {
    if (field.type != Type::bytes) continue;
    if (field.number == 1) read_piece(field.bytes, where, model);
    if (field.number == 2) read_trainer(field.bytes, where, kind, model);
    if (field.number == 3) read_normalizer_spec(field.bytes, where, model);
  }
  const auto unknown = static_cast<size_t>(model.unknown_id);
  if (model.unknown_id < 0 || unknown >= model.kinds.size() ||
      model.kinds[unknown] != PieceKind::unknown) {
    throw InputError("the piece " + std::to_string(model.unknown_id) +
                         ", which must represent unknown text, is missing or of another kind",
                     where, kUseOriginalTokenizer);
  }
  return model;
}

ProtobufReader::ProtobufReader(std::string_view message, std::string where)
    : rest_(message), where_(std::move(where)) {}

bool ProtobufReader::next(ProtobufField& field) {
  if (rest_.empty()) return false;
  using Type = ProtobufField::Type;
  const uint64_t tag = read_varint();
  field = {.number = tag >> 3, .type = Type::integer, .integer = 0, .bytes = {}};
  switch (tag & 7) {
    case 0:
      field.integer = read_varint();
      return true;
    case 1:
      field.type = Type::fixed64;
      field.integer = little_endian(read_bytes(8));
      return true;
    case 2:
      field.type = Type::bytes;
      field.bytes = read_bytes(read_varint());
      return true;
    case 5:
      field.type = Type::fixed32;
      field.integer = little_endian(read_bytes(4));
      return true;
    default:
      throw InputError("not a protocol buffer, or damaged", where_, kFetchFileAgain);
  }
}

uint64_t ProtobufReader::read_varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(read_bytes(1).front());
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  throw InputError("not a protocol buffer, or damaged", where_, kFetchFileAgain);
}

std::string_view ProtobufReader::read_bytes(uint64_t count) {
  if (count > rest_.size()) {
    throw InputError("the file is truncated, or not a protocol buffer", where_, kFetchFileAgain);
  }
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

}  // namespace rubric::text
