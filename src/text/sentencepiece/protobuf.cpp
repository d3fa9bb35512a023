#include "text/sentencepiece/protobuf.h"

#include <utility>

#include "core/error.h"

namespace rubric {
namespace {

constexpr const char* kFetchAgain = "fetch the file again";

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

}  // namespace

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
      throw InputError("not a protocol buffer, or damaged", where_, kFetchAgain);
  }
}

uint64_t ProtobufReader::read_varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(read_bytes(1).front());
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  throw InputError("not a protocol buffer, or damaged", where_, kFetchAgain);
}

std::string_view ProtobufReader::read_bytes(uint64_t count) {
  if (count > rest_.size()) {
    throw InputError("the file is cut off, or no protocol buffer", where_, kFetchAgain);
  }
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

}  // namespace rubric
