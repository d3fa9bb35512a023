#include "messages.h"
#include "text/sentencepiece/sentencepiece_files.h"

namespace rubric::text::protobuf_test {

using Type = ProtobufField::Type;
using std::string_literals::operator""s;

TEST(ProtobufReader, ReadsFieldsOfEveryType) {
  // The examples of protobuf.dev/programming-guides/encoding: 150, "testing".
  const std::string message =
      "\x08\x96\x01\x12\x07testing\x1D\x01\x02\x03\x04\x21\x01\x00\x00\x00\x00\x00\x00\x80"s;
  ProtobufReader reader(message, "");
  ProtobufField field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 1u);
  EXPECT_EQ(field.type, Type::integer);
  EXPECT_EQ(field.integer, 150u);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 2u);
  EXPECT_EQ(field.type, Type::bytes);
  EXPECT_EQ(field.bytes, "testing");
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 3u);
  EXPECT_EQ(field.type, Type::fixed32);
  EXPECT_EQ(field.integer, 0x04030201u);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 4u);
  EXPECT_EQ(field.type, Type::fixed64);
  EXPECT_EQ(field.integer, 0x8000000000000001u);
  EXPECT_FALSE(reader.next(field));
}

TEST(ProtobufReader, RefusesWhatIsCutOffOrNone) {
  const auto message_of = [](const std::string& bytes) {
    return input_error([&] {
      ProtobufReader reader(bytes, "a.model");
      for (ProtobufField field; reader.next(field);) {
      }
    });
  };
  EXPECT_EQ(message_of(""), "accepted");
  for (const std::string& bytes : {"\x08"s, "\x08\x96"s, "\x12\x07test"s, "\x1D\x01"s, "\x21\x01"s,
                                   "\x12\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s}) {
    expect_says(message_of(bytes), {"truncated", "a.model"});
  }
  for (const std::string& bytes : {"\x0B"s, "\x0F"s, "\x08"s + std::string(10, '\xFF')}) {
    expect_contains(message_of(bytes), "not a protocol buffer");
  }
}

}  // namespace rubric::text::protobuf_test
