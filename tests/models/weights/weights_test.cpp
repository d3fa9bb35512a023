#include "models/weights/weights.h"

#include <cstring>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <ATen/ops/arange.h>

#include "core/json/json.h"
#include "messages.h"
#include "models/weights/pickles.h"
#include "models/weights/zips.h"
#include "paths.h"
#include "small_disk.h"
#include "temporary_folder.h"

namespace rubric::models::weights_test {

const std::filesystem::path kBert = std::filesystem::path(fixtures_folder()) / "bert";

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

TEST(Weights, ReadsEveryLayoutBitForBit) {
  const NamedTensors expected = read_weights(kBert / "relu");
  EXPECT_GT(expected.size(), 30U);
  expect_same(read_weights(kBert / "relu_sharded"), expected);
  expect_same(read_weights(kBert / "relu_bin"), expected);
  expect_same(read_weights(kBert / "relu_bin_views"), expected);
}

TEST(WeightFiles, AreTheIndexAndItsShardsOrTheOneFile) {
  EXPECT_EQ(weight_files(kBert / "relu"),
            std::vector<std::filesystem::path>{kBert / "relu" / "model.safetensors"});
  std::set<std::filesystem::path> expected;
  for (const auto& entry : std::filesystem::directory_iterator(kBert / "relu_sharded")) {
    if (entry.path().filename() != "config.json") expected.insert(entry.path());
  }
  const auto files = weight_files(kBert / "relu_sharded");
  EXPECT_GT(files.size(), 2U);
  EXPECT_EQ(files[0].filename(), "model.safetensors.index.json");
  EXPECT_EQ(std::set(files.begin(), files.end()), expected);
}

TEST(Weights, RoundTripsAModel) {
  const NamedTensors expected = read_weights(kBert / "relu_bin_views");
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "model.safetensors", expected);
  expect_same(read_weights(folder.path()), read_weights(kBert / "relu"));
}

TEST(Weights, AreWrittenInShardsAboveALimit) {
  constexpr size_t kLimit = 4000;
  const NamedTensors expected = read_weights(kBert / "relu");
  const TemporaryFolder folder;
  write_weights(folder.path(), expected, kLimit);
  const auto files = weight_files(folder.path());  // the index first
  ASSERT_GT(files.size(), 3u);
  EXPECT_EQ(folder.names().size(), files.size());
  const std::string count = std::to_string(files.size() - 1);
  EXPECT_EQ(files[1].filename(),
            "model-00001-of-" + std::string(5 - count.size(), '0') + count + ".safetensors");
  uint64_t total = 0;
  for (size_t i = 1; i < files.size(); ++i) {
    const NamedTensors shard = read_safetensors(files[i]);
    uint64_t bytes = 0;
    for (const auto& [name, tensor] : shard) bytes += tensor.nbytes();
    EXPECT_TRUE(bytes <= kLimit || shard.size() == 1) << files[i] << ": " << bytes;
    total += bytes;
  }
  const Json index = Json::parse_file(files[0]);
  EXPECT_EQ(index.require("metadata", "").require_integer("total_size", ""),
            static_cast<int64_t>(total));
  expect_same(read_weights(folder.path()), expected);
}

TEST(Weights, AreOneFileUpToTheLimit) {
  const NamedTensors tensors = {{"a", at::arange(2)}, {"b", at::arange(3)}};  // 16 and 24 bytes
  const TemporaryFolder folder, over;
  write_weights(folder.path(), tensors, 40);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"model.safetensors"});
  write_weights(over.path(), tensors, 39);
  EXPECT_EQ(over.names(), (std::vector<std::string>{"model-00001-of-00002.safetensors",
                                                    "model-00002-of-00002.safetensors",
                                                    "model.safetensors.index.json"}));
}

// The disk is full before the last shard: what is there is not taken for a model.
TEST(Weights, ShardsWithoutAnIndexAreNoWeights) {
  const NamedTensors tensors = {{"a", at::arange(2)}, {"b", at::arange(20'000)}};
  const SmallDisk disk;
  EXPECT_THROW(write_weights(disk.path(), tensors, 100), Error);
  expect_contains(input_error([&] { read_weights(disk.path()); }), "no weights");
}

TEST(Weights, ReadsShardedPytorchFiles) {
  const TemporaryFolder folder;
  folder.write("part-1.bin",
               zip({{"data.pkl", pickle_of({1, 0, {1}, {1}})}, {"data/0", std::string(4, '\0')}}));
  folder.write("pytorch_model.bin.index.json", R"({"weight_map": {"w": "part-1.bin"}})");
  ASSERT_EQ(read_weights(folder.path()).size(), 1U);
}

TEST(Weights, SaysWhatItLookedFor) {
  const TemporaryFolder folder;
  const std::string message = input_error([&] { read_weights(folder.path()); });
  expect_says(message, {"model.safetensors, model.safetensors.index.json, pytorch_model.bin, "
                        "pytorch_model.bin.index.json",
                        folder.path().string()});
}

TEST(Weights, ChecksTheIndexAgainstTheShards) {
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "one.safetensors",
                    {{"a", at::arange(2)}, {"b", at::arange(3)}});
  const auto with_map = [&](const std::string& weight_map) {
    folder.write("model.safetensors.index.json", "{\"weight_map\": " + weight_map + "}");
    return input_error([&] { read_weights(folder.path()); });
  };
  EXPECT_EQ(with_map(R"({"a": "one.safetensors", "b": "one.safetensors"})"), "accepted");
  expect_contains(with_map(R"({"a": "one.safetensors"})"), "\"b\" is not listed");
  expect_contains(
      with_map(R"({"a": "one.safetensors", "b": "one.safetensors", "c": "one.safetensors"})"),
      "\"c\" is missing");
  expect_says(with_map(R"({"a": "two.safetensors"})"),
              {"two.safetensors", "is missing", "to do: fetch"});
  expect_contains(with_map(R"({"a": "../one.safetensors"})"), "plain file name");
  expect_contains(with_map(R"({"a": "/etc/passwd"})"), "plain file name");
  expect_contains(with_map(R"({"a": ".."})"), "plain file name");
  expect_contains(with_map(R"({"a": ""})"), "plain file name");
  expect_contains(with_map(R"({"a": 3})"), "plain file name");
  expect_contains(with_map("[]"), "expected an object");
}

}  // namespace rubric::models::weights_test
