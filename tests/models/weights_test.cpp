#include "models/weights.h"

#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <caffe2/serialize/inline_container.h>

#include "core/error.h"
#include "core/files.h"

namespace rubric {
namespace {

using namespace std::string_literals;

const std::filesystem::path kBert = std::filesystem::path(RUBRIC_FIXTURES) / "bert";

std::filesystem::path scratch_directory() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const auto path =
      std::filesystem::path(testing::TempDir()) / (std::string("weights-") + test->name());
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected \"" << part << "\" in: " << text;
}

// The same names with the same bits, in whatever order.
void expect_same(const NamedTensors& found, const NamedTensors& expected) {
  std::map<std::string, at::Tensor> by_name(found.begin(), found.end());
  EXPECT_EQ(by_name.size(), found.size());
  EXPECT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    ASSERT_TRUE(by_name.contains(name)) << name;
    const at::Tensor other = by_name[name].contiguous();
    ASSERT_EQ(other.scalar_type(), tensor.scalar_type()) << name;
    ASSERT_EQ(other.sizes(), tensor.sizes()) << name;
    EXPECT_EQ(std::memcmp(other.data_ptr(), tensor.data_ptr(), tensor.nbytes()), 0) << name;
  }
}

// --- torch.save files by hand ---

std::string little_endian(uint64_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
  return out;
}

std::string integer(int64_t value) {
  return "\x8a\x08" + little_endian(static_cast<uint64_t>(value), 8);
}

std::string integers(const std::vector<int64_t>& values) {
  std::string out = "(";
  for (const int64_t value : values) out += integer(value);
  return out + "t";
}

struct View {
  int64_t storage_elements, offset;
  std::vector<int64_t> sizes, strides;
};

// One item of a pickled dictionary: a float32 view of storage `key`.
std::string item(char name, char key, const View& view) {
  return "X\1\0\0\0"s + name +
         "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"s +
         key + "X\3\0\0\0cpu"s + integer(view.storage_elements) + "tQ" + integer(view.offset) +
         integers(view.sizes) + integers(view.strides) + "\x89" +
         "ccollections\nOrderedDict\n)RtRs";
}

std::string pickle_of(const View& view) {
  return "\x80\x02}" + item('w', '0', view) + ".";
}

using Records = std::vector<std::pair<std::string, std::string>>;

std::string zip(const Records& records, bool compress = false) {
  std::string bytes;
  caffe2::serialize::PyTorchStreamWriter writer([&](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
    return size;
  });
  for (const auto& [name, content] : records) {
    writer.writeRecord(name, content.data(), content.size(), compress);
  }
  writer.writeEndOfFile();
  return bytes;
}

// A zip with 64-bit sizes and offsets, in which records of equal content share their bytes.
std::string zip64_by_hand(const Records& records) {
  std::string bytes, directory;
  std::map<std::string, size_t> offsets;
  for (const auto& [name, content] : records) {
    const std::string path = "model/" + name;
    if (!offsets.contains(content)) {
      offsets[content] = bytes.size();
      bytes += "PK\3\4" + std::string(22, '\0') + little_endian(path.size(), 2) + "\3\0"s + path +
               "xyz" + content;
    }
    const std::string extra = "FB\2\0ZZ\1\0\x18\0"s + little_endian(content.size(), 8) +
                              little_endian(content.size(), 8) + little_endian(offsets[content], 8);
    directory += "PK\1\2" + std::string(16, '\0') + std::string(8, '\xff') +
                 little_endian(path.size(), 2) + little_endian(extra.size(), 2) + "\2\0"s +
                 std::string(8, '\0') + std::string(4, '\xff') + path + extra + "ok";
  }
  return bytes + directory + "PK\5\6" + std::string(8, '\0') + little_endian(directory.size(), 4) +
         little_endian(bytes.size(), 4) + "\0\0"s;
}

const std::string kSixFloats("\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xa0\x40",
                             24);

std::string refusal_of(const std::string& bytes) {
  const auto path = std::filesystem::path(testing::TempDir()) / "weights-refusal.bin";
  std::ofstream(path, std::ios::binary) << bytes;  // far faster than an AtomicFile
  return refusal([&] { read_pytorch_bin(path); });
}

std::string refusal_of_view(const View& view) {
  return refusal_of(zip({{"data.pkl", pickle_of(view)}, {"data/0", kSixFloats}}));
}

TEST(PytorchBin, ReadsStridedViews) {
  const auto path = scratch_directory() / "pytorch_model.bin";
  write_file(path, zip({{"data.pkl", pickle_of({6, 1, {2, 2}, {1, 3}})}, {"data/0", kSixFloats}}));
  const NamedTensors tensors = read_pytorch_bin(path);
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].first, "w");
  const at::Tensor expected = at::arange(6).to(at::kFloat).as_strided({2, 2}, {1, 3}, 1);
  EXPECT_TRUE(at::equal(tensors[0].second, expected));
}

TEST(PytorchBin, ReadsEmptyTensorsAndScalars) {
  EXPECT_EQ(refusal_of_view({6, 5, {}, {}}), "accepted");
  EXPECT_EQ(refusal_of_view({6, 0, {0, 3}, {3, 1}}), "accepted");
  EXPECT_EQ(refusal_of(zip({{"data.pkl", pickle_of({0, 0, {0}, {1}})}, {"data/0", ""}})),
            "accepted");
}

TEST(PytorchBin, RefusesViewsThatLeaveTheirStorage) {
  const int64_t huge = int64_t{1} << 62;
  expect_contains(refusal_of_view({7, 0, {7}, {1}}), "another size than the pickle says");
  expect_contains(refusal_of_view({-1, 0, {1}, {1}}), "another size than the pickle says");
  expect_contains(refusal_of_view({huge, 0, {huge}, {1}}), "another size than the pickle says");
  expect_contains(refusal_of_view({6, 0, {7}, {1}}), "more elements");
  expect_contains(refusal_of_view({6, 0, {huge, huge}, {1, 1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 0, {0, huge, huge}, {1, 1, 1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 0, {-1}, {1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 0, {2}, {1, 1}}), "impossible shape");
  expect_contains(refusal_of_view({6, -1, {2}, {1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 1, {6}, {1}}), "leaves its storage");
  expect_contains(refusal_of_view({6, 0, {2, 3}, {4, 1}}), "leaves its storage");
  expect_contains(refusal_of_view({6, huge, {2}, {huge}}), "overflowing strides");
  expect_contains(refusal_of_view({6, 0, {3}, {huge}}), "overflowing strides");
  expect_contains(refusal_of_view({6, 5, {2}, {-1}}), "negative");
  expect_contains(refusal_of_view({6, 0, {1000, 1000}, {0, 0}}), "more elements");
  expect_contains(refusal_of_view({6, 0, {7}, {1}}), "tensor \"w\"");
}

TEST(PytorchBin, RefusesMissingAndCompressedRecords) {
  expect_contains(refusal_of(zip({{"data/0", kSixFloats}})), "\"data.pkl\" is missing");
  expect_contains(refusal_of(zip({{"data.pkl", pickle_of({6, 0, {6}, {1}})}})),
                  "\"data/0\" is missing");
  const std::string zeros(1 << 20, '\0');
  expect_contains(
      refusal_of(zip({{"data.pkl", pickle_of({1 << 18, 0, {1}, {1}})}, {"data/0", zeros}}, true)),
      "data.pkl\" is compressed");
  expect_contains(refusal_of(zip({{"byteorder", "big"}, {"data.pkl", "}."}})), "big-endian");
}

TEST(PytorchBin, Reads64BitZips) {
  const auto path = scratch_directory() / "pytorch_model.bin";
  const std::string pickle = pickle_of({6, 0, {6}, {1}});
  write_file(path, zip64_by_hand({{"data.pkl", pickle}, {"data/0", kSixFloats}}));
  EXPECT_TRUE(at::equal(read_pytorch_bin(path).at(0).second, at::arange(6).to(at::kFloat)));
}

TEST(PytorchBin, RefusesRecordsThatShareBytesOrNames) {
  const std::string zeros(4000, '\0');
  const View thousand = {1000, 0, {1000}, {1}};
  const std::string pickle =
      "\x80\x02}" + item('a', '0', thousand) + item('b', '1', thousand) + ".";
  expect_contains(
      refusal_of(zip64_by_hand({{"data.pkl", pickle}, {"data/0", zeros}, {"data/1", zeros}})),
      "overlap");
  expect_contains(refusal_of(zip64_by_hand({{"data.pkl", pickle}, {"data.pkl", "}."}})),
                  "occurs twice");
}

TEST(PytorchBin, TiedTensorsShareTheirStorage) {
  const auto path = scratch_directory() / "pytorch_model.bin";
  const View six = {6, 0, {6}, {1}};
  const std::string pickle = "\x80\x02}" + item('a', '0', six) + item('b', '0', six) + ".";
  write_file(path, zip({{"data.pkl", pickle}, {"data/0", kSixFloats}}));
  const NamedTensors tensors = read_pytorch_bin(path);
  EXPECT_EQ(tensors.at(0).second.data_ptr(), tensors.at(1).second.data_ptr());
}

TEST(PytorchBin, RefusesWhatIsNoZip) {
  expect_contains(refusal_of(""), "not a zip file");
  expect_contains(refusal_of("not a zip file"), "not a zip file");
  expect_contains(refusal_of("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.rest"),
                  "before PyTorch 1.6");
}

TEST(PytorchBin, SurvivesTruncationsAndFlippedBits) {
  const std::string whole = zip({{"data.pkl", pickle_of({6, 0, {2, 3}, {3, 1}})},
                                 {"byteorder", "little"},
                                 {"data/0", kSixFloats}});
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    EXPECT_NE(refusal_of(whole.substr(0, random() % whole.size())), "accepted");
    std::string flipped = whole;
    flipped[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
    refusal_of(flipped);  // may be accepted: no format knows a changed weight
  }
}

// --- the tiny models: the same weights in every layout ---

TEST(Weights, ReadsEveryLayoutBitForBit) {
  const NamedTensors expected = read_weights(kBert / "relu");
  EXPECT_GT(expected.size(), 30U);
  expect_same(read_weights(kBert / "relu_sharded"), expected);
  expect_same(read_weights(kBert / "relu_bin"), expected);
  expect_same(read_weights(kBert / "relu_bin_views"), expected);
}

TEST(Weights, RoundTripsAModel) {
  const NamedTensors expected = read_weights(kBert / "relu_bin_views");
  const auto directory = scratch_directory();
  write_safetensors(directory / "model.safetensors", expected);
  expect_same(read_weights(directory), read_weights(kBert / "relu"));
}

TEST(Weights, ReadsShardedPytorchFiles) {
  const auto directory = scratch_directory();
  write_file(directory / "part-1.bin",
             zip({{"data.pkl", pickle_of({6, 0, {6}, {1}})}, {"data/0", kSixFloats}}));
  write_file(directory / "pytorch_model.bin.index.json", R"({"weight_map": {"w": "part-1.bin"}})");
  ASSERT_EQ(read_weights(directory).size(), 1U);
}

TEST(Weights, SaysWhatItLookedFor) {
  const auto directory = scratch_directory();
  const std::string message = refusal([&] { read_weights(directory); });
  expect_contains(message,
                  "model.safetensors, model.safetensors.index.json, pytorch_model.bin, "
                  "pytorch_model.bin.index.json");
  expect_contains(message, directory.string());
}

TEST(Weights, ChecksTheIndexAgainstTheShards) {
  const auto directory = scratch_directory();
  write_safetensors(directory / "one.safetensors", {{"a", at::arange(2)}, {"b", at::arange(3)}});
  const auto with_map = [&](const std::string& weight_map) {
    write_file(directory / "model.safetensors.index.json", "{\"weight_map\": " + weight_map + "}");
    return refusal([&] { read_weights(directory); });
  };
  EXPECT_EQ(with_map(R"({"a": "one.safetensors", "b": "one.safetensors"})"), "accepted");
  expect_contains(with_map(R"({"a": "one.safetensors"})"), "\"b\" is not listed");
  expect_contains(
      with_map(R"({"a": "one.safetensors", "b": "one.safetensors", "c": "one.safetensors"})"),
      "\"c\" is missing");
  expect_contains(with_map(R"({"a": "two.safetensors"})"), "no such file");
  expect_contains(with_map(R"({"a": "../one.safetensors"})"), "plain file name");
  expect_contains(with_map(R"({"a": "/etc/passwd"})"), "plain file name");
  expect_contains(with_map(R"({"a": ".."})"), "plain file name");
  expect_contains(with_map(R"({"a": ""})"), "plain file name");
  expect_contains(with_map(R"({"a": 3})"), "plain file name");
  expect_contains(with_map("[]"), "expected an object");
}

}  // namespace
}  // namespace rubric
