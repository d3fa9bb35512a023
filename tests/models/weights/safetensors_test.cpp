#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "core/error.h"
#include "core/files/files.h"
#include "messages.h"
#include "models/weights/little_endian.h"
#include "models/weights/weights.h"

namespace rubric::models::safetensors_test {

using namespace std::string_literals;

std::filesystem::path scratch_file() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return std::filesystem::path(testing::TempDir()) /
         (std::string("safetensors-") + test->name() + ".safetensors");
}

std::string with_length(const std::string& header) {
  return to_little_endian(header.size(), 8) + header;
}

// The message of the InputError that reading scratch_file() ends in.
std::string refusal_of_file() {
  return input_error([] { read_safetensors(scratch_file()); });
}

std::string refusal(const std::string& bytes) {
  std::ofstream(scratch_file(), std::ios::binary) << bytes;  // far faster than an AtomicFile
  return refusal_of_file();
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

std::string refusal(const std::string& entries, size_t data_size) {
  return refusal(with_length("{" + entries + "}") + std::string(data_size, '\1'));
}

// One tensor of every dtype, as safetensors 0.8.0's save_file wrote them.
const char kHeader[] =
    R"({"__metadata__":{"format":"pt"},"l":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
    R"("d":{"dtype":"F64","shape":[1],"data_offsets":[8,16]},)"
    R"("empty":{"dtype":"F32","shape":[0,2],"data_offsets":[16,16]},)"
    R"("f":{"dtype":"F32","shape":[1,2],"data_offsets":[16,24]},)"
    R"("q\"é\n":{"dtype":"F32","shape":[1],"data_offsets":[24,28]},)"
    R"("i":{"dtype":"I32","shape":[1],"data_offsets":[28,32]},)"
    R"("bf":{"dtype":"BF16","shape":[1],"data_offsets":[32,34]},)"
    R"("h":{"dtype":"F16","shape":[],"data_offsets":[34,36]},)"
    R"("s":{"dtype":"I16","shape":[1],"data_offsets":[36,38]},)"
    R"("c":{"dtype":"I8","shape":[1],"data_offsets":[38,39]},)"
    R"("z":{"dtype":"U8","shape":[3],"data_offsets":[39,42]},)"
    R"("b":{"dtype":"BOOL","shape":[3],"data_offsets":[42,45]}} )";
const std::string kData =
    "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\xd0\x3f\0\0\xc0\x3f\0\0\0\xc0\0\0\0\x40"
    "\x07\0\0\0\x80\x3f\0\x38\xfd\xff\xfc\0\1\2\1\0\1"s;

NamedTensors one_of_each() {
  const auto f32 = at::tensor({1.5F, -2.0F}).reshape({1, 2});
  return {{"z", at::arange(3).to(at::kByte)},
          {"f", f32},
          {"h", at::full({}, 0.5, at::kHalf)},
          {"b", at::tensor({1, 0, 1}).to(at::kBool)},
          {"l", at::tensor({int64_t{-1}})},
          {"d", at::tensor({0.25})},
          {"i", at::tensor({7})},
          {"bf", at::tensor({1.0F}).to(at::kBFloat16)},
          {"s", at::tensor({-3}).to(at::kShort)},
          {"c", at::tensor({-4}).to(at::kChar)},
          {"empty", at::zeros({0, 2})},
          {"q\"é\n", at::tensor({2.0F})}};
}

TEST(Safetensors, WritesTheBytesTheOfficialLibraryWrites) {
  write_safetensors(scratch_file(), one_of_each());
  EXPECT_EQ(read_file(scratch_file()), with_length(kHeader) + kData);
}

TEST(Safetensors, ReadsWhatTheOfficialLibraryWrote) {
  write_file(scratch_file(), with_length(kHeader) + kData);
  const NamedTensors tensors = read_safetensors(scratch_file());
  const NamedTensors expected = one_of_each();
  ASSERT_EQ(tensors.size(), expected.size());
  EXPECT_EQ(tensors.front().first, "l");  // file order
  for (const auto& [name, tensor] : expected) {
    bool found = false;
    for (const auto& [read_name, read_tensor] : tensors) {
      if (read_name != name) continue;
      found = true;
      EXPECT_EQ(read_tensor.scalar_type(), tensor.scalar_type()) << name;
      EXPECT_EQ(read_tensor.sizes(), tensor.sizes()) << name;
      EXPECT_TRUE(at::equal(read_tensor, tensor)) << name;
    }
    EXPECT_TRUE(found) << name;
  }
}

TEST(Safetensors, TensorsOutliveTheFile) {
  write_safetensors(scratch_file(), {{"a", at::arange(4)}});
  const NamedTensors tensors = read_safetensors(scratch_file());
  write_file(scratch_file(), "");
  EXPECT_EQ(tensors[0].second.sum().item<int64_t>(), 6);
}

TEST(Safetensors, WritesStridedTensorsContiguously) {
  const at::Tensor transposed = at::arange(6).reshape({2, 3}).t();
  write_safetensors(scratch_file(), {{"a", transposed}});
  EXPECT_TRUE(at::equal(read_safetensors(scratch_file())[0].second, transposed));
}

TEST(Safetensors, AFileMayHoldNoTensor) {
  write_safetensors(scratch_file(), {});
  EXPECT_TRUE(read_safetensors(scratch_file()).empty());
}

TEST(FindTensor, GoesByTheWholeName) {
  const NamedTensors tensors = {{"a.b", at::zeros({1})}, {"a", at::zeros({2})}};
  EXPECT_EQ(find_tensor(tensors, "a"), &tensors[1].second);
  EXPECT_EQ(find_tensor(tensors, "b"), nullptr);
  EXPECT_EQ(find_tensor({}, ""), nullptr);
}

TEST(Safetensors, RefusesToWriteWhatCouldNotBeRead) {
  const auto file = scratch_file();
  std::filesystem::remove(file);
  EXPECT_THROW(write_safetensors(file, {{"a", at::zeros({1})}, {"a", at::zeros({1})}}), Error);
  EXPECT_THROW(write_safetensors(file, {{"\xff", at::zeros({1})}}), Error);
  EXPECT_THROW(write_safetensors(file, {{"c", at::zeros({1}, at::kComplexFloat)}}), Error);
  EXPECT_THROW(write_safetensors(file, {{"undefined", at::Tensor()}}), Error);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Safetensors, RefusesBadHeaders) {
  expect_contains(refusal(""), "too short");
  expect_contains(refusal("1234567"), "too short");
  expect_contains(refusal(std::string(8, '\xff')), "runs past the end");
  expect_contains(refusal("\x09\0\0\0\0\0\0\0{}"s), "runs past the end");
  expect_contains(refusal(with_length("")), "not a JSON object");
  expect_contains(refusal(with_length("[]")), "not a JSON object");
  expect_contains(refusal(with_length("{\"a\":")), "not valid JSON");
  expect_contains(refusal(with_length("{} x")), "not valid JSON");
  expect_contains(refusal(with_length("{\"\xff\":{}}")), "not valid JSON");
  expect_contains(refusal(with_length("{\"a\":1}")), "expected an object");
  expect_contains(refusal(with_length(R"({"__metadata__":{"a":1}})")), "must be a string");
  expect_contains(refusal(with_length(R"({"__metadata__":[]})")), "expected an object");
  const std::string same = entry("a", "U8", "[1]", "[0,1]");
  expect_contains(refusal(same + "," + same, 1), "occurs twice");
  std::string deep = "{\"a\":" + std::string(100'000, '[');
  expect_contains(refusal(with_length(deep)), "nested deeper");
}

TEST(Safetensors, RefusesAHeaderOver100Megabytes) {
  write_file(scratch_file(), "\x01\xe1\xf5\x05\0\0\0\0{}"s);  // 100,000,001
  std::filesystem::resize_file(scratch_file(), 200'000'000);  // sparse
  expect_contains(refusal_of_file(), "over 100 MB");
  std::filesystem::remove(scratch_file());
}

TEST(Safetensors, RefusesBadDescriptionsNamingTheTensor) {
  const auto expect = [](const std::string& one_entry, const std::string& message) {
    const std::string text = refusal(one_entry, 4);
    expect_says(text, {message, "tensor \"w\""});
  };
  expect(entry("w", "F8_E4M3", "[4]", "[0,4]"), "dtype \"F8_E4M3\" is not supported");
  expect(entry("w", "F32", "[-1]", "[0,4]"), "whole numbers");
  expect(entry("w", "F32", "[1.0]", "[0,4]"), "whole numbers");
  expect(entry("w", "F32", "[\"1\"]", "[0,4]"), "whole numbers");
  expect(entry("w", "F32", "[18446744073709551616]", "[0,4]"), "whole numbers");
  expect(entry("w", "F32", "1", "[0,4]"), "must be an array");
  expect(entry("w", "F32", "[4294967296,4294967296]", "[0,4]"), "too many");
  expect(entry("w", "F32", "[0,4294967296,4294967296]", "[0,0]"), "too many");
  expect(entry("w", "F32", "[4611686018427387904]", "[0,0]"), "too many");
  std::string ones = "[1";
  for (int i = 0; i < 64; ++i) ones += ",1";
  expect(entry("w", "F32", ones + "]", "[0,4]"), "too many");
  expect(entry("w", "F32", "[1]", "[4,0]"), "do not span");
  expect(entry("w", "F32", "[2]", "[0,4]"), "do not span");
  expect(entry("w", "F32", "[1]", "[0]"), "[begin, end]");
  expect(entry("w", "F32", "[1]", "[0,4,8]"), "[begin, end]");
  expect(entry("w", "F32", "[2]", "[0,8]"), "take 8 bytes, but 4 follow");
  expect("\"w\":{\"shape\":[1],\"data_offsets\":[0,4]}", "\"dtype\" is missing");
}

TEST(Safetensors, RefusesHolesOverlapsAndTrailingBytes) {
  const std::string first = entry("a", "U8", "[4]", "[0,4]") + ",";
  expect_contains(refusal(first + entry("w", "U8", "[4]", "[2,6]"), 6), "overlaps");
  expect_contains(refusal(first + entry("w", "U8", "[4]", "[0,4]"), 4), "overlaps");
  expect_contains(refusal(first + entry("w", "U8", "[2]", "[6,8]"), 8), "belong to no tensor");
  expect_contains(refusal(entry("w", "U8", "[2]", "[2,4]"), 4), "belong to no tensor");
  expect_contains(refusal(first + entry("w", "U8", "[4]", "[4,8]"), 9), "9 follow");
  EXPECT_EQ(refusal(first + entry("w", "U8", "[4]", "[4,8]"), 8), "accepted");
  EXPECT_EQ(refusal(entry("w", "U8", "[4]", "[4,8]") + "," + entry("a", "U8", "[4]", "[0,4]"), 8),
            "accepted");  // the order of the header does not matter
}

TEST(Safetensors, RefusesEveryTruncation) {
  const std::string whole = with_length(kHeader) + kData;
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << size << " bytes";
  }
}

TEST(Safetensors, CountsElements) {
  const auto count = [](std::vector<int64_t> shape) { return element_count(shape); };
  EXPECT_EQ(count({}), 1);
  EXPECT_EQ(count({2, 3}), 6);
  EXPECT_EQ(count({2, 0}), 0);
  EXPECT_EQ(count({-1}), std::nullopt);
  EXPECT_EQ(count({int64_t{1} << 62, 2}), std::nullopt);
}

}  // namespace rubric::models::safetensors_test
