// The wire format of protocol buffers (protobuf.dev/programming-guides/encoding), as far as reading
// a message field by field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rubric {

struct ProtobufField {
  uint64_t number = 0;
  enum class Type { integer, fixed64, bytes, fixed32 } type = Type::integer;
  uint64_t integer = 0;    // of the types integer, fixed64 and fixed32
  std::string_view bytes;  // of the type bytes: a string or a message
};

class ProtobufReader {
 public:
  // `where` is for messages.
  ProtobufReader(std::string_view message, std::string where);

  // False at the end. Throws InputError where the message is cut off or no protocol buffer.
  bool next(ProtobufField& field);

 private:
  uint64_t read_varint();
  std::string_view read_bytes(uint64_t count);

  std::string_view rest_;
  std::string where_;
};

}  // namespace rubric
