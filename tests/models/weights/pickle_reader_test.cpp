#include <limits>

#include <gtest/gtest.h>

#include "messages.h"
#include "models/weights/binary_reader.h"

namespace rubric::models::pickle_reader_test {

TEST(PickleReader, TakesBytesLinesAndNumbersInTurn) {
  const std::string where = "model.bin", pickle = "ab\nc\nx\x02\x01\xfe\xff\xff";
  PickleReader reader(pickle, where);
  EXPECT_EQ(reader.take_line(), "ab");
  EXPECT_EQ(reader.take_line(), "c");
  EXPECT_EQ(reader.take(1), "x");
  EXPECT_EQ(reader.take_unsigned(2), 0x0102u);
  EXPECT_EQ(reader.take_signed(0), 0);
  EXPECT_EQ(reader.take_signed(3), -2);
  expect_contains(input_error([&] { reader.take(1); }), "model.bin: byte 11 of the pickle");
}

TEST(PickleReader, TakesTheWholeRangeOfNumbers) {
  const std::string where = "model.bin", pickle = "\xff" + std::string(15, '\xff') + '\x80';
  PickleReader reader(pickle, where);
  EXPECT_EQ(reader.take_unsigned(8), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(reader.take_signed(8), -1);
  EXPECT_EQ(reader.take_signed(1), -128);
}

TEST(PickleReader, NeverReadsPastTheEnd) {
  const std::string where = "model.bin", pickle = "abc";
  PickleReader reader(pickle, where);
  expect_contains(input_error([&] { reader.take(4); }), "cut short");
  expect_contains(input_error([&] { reader.take(UINT64_MAX); }), "cut short");
  expect_contains(input_error([&] { reader.take_line(); }), "cut short");  // no line feed
  expect_contains(input_error([&] { reader.take_signed(9); }), "more than 64 bits");
}

}  // namespace rubric::models::pickle_reader_test
