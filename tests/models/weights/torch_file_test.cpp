// The old form of torch.save's files; the zip form is in pytorch_bin_test.cpp.
#include "models/weights/torch_file.h"

#include <random>

#include <gtest/gtest.h>

#include "messages.h"
#include "models/weights/pickles.h"

namespace rubric::models::torch_file_test {

using namespace std::string_literals;

const std::string kMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
const std::string kVersion1001 = "\x80\x02M\xe9\x03.";

// As torch.save writes it: {protocol_version, little_endian, type_sizes: {…}}.
std::string system_info(bool little_endian = true) {
  return kProto2 + "}q\0("s + text("protocol_version") + "q\x01M\xe9\x03" + text("little_endian") +
         "q\x02" + (little_endian ? "\x88" : "\x89") + text("type_sizes") + "q\x03}q\x04(" +
         text("short") + "q\x05K\x02" + text("int") + "q\x06K\x04uu.";
}

// An entry of a dictionary: floats of the storage `key`, whose id has a sixth part here.
std::string old_item(const std::string& name, const std::string& key, int64_t elements,
                     const std::string& view = "N") {
  const std::string id = tuple({text("storage"), global("torch", "FloatStorage"), text(key),
                                text("cpu"), integer(elements), view}) +
                         "Q";
  return text(name) + tensor(id, 0, {elements}, {1}) + "s";
}

std::string keys(const std::vector<std::string>& names) {
  std::string pickle = kProto2 + "]q\0("s;
  for (const std::string& name : names) pickle += text(name);
  return pickle + "e.";
}

std::string content(uint64_t elements, const std::string& bytes) {
  return to_little_endian(elements, 8) + bytes;
}

std::string old_file(const std::string& pickle, const std::string& rest) {
  return kMagic + kVersion1001 + system_info() + kProto2 + "}" + pickle + "." + rest;
}

const std::string kWhole =
    old_file(old_item("a", "77", 2) + old_item("b", "8", 1),
             keys({"77", "8"}) + content(2, "12345678") + content(1, "abcd"));

std::string refusal_of_file(const std::string& bytes) {
  return input_error([&] { read_torch_file(bytes, "weights.th"); });
}

TEST(TorchFile, ReadsStoragesBehindPickles) {
  const TorchFile file = read_torch_file(kWhole, "weights.th");
  ASSERT_EQ(file.tensors.size(), 2u);
  EXPECT_EQ(file.tensors[0].name, "a");
  EXPECT_EQ(file.tensors[0].storage_key, "77");
  EXPECT_EQ(file.tensors[1].sizes, std::vector<int64_t>{1});
  EXPECT_EQ(file.storages.at("77"), "12345678");
  EXPECT_EQ(file.storages.at("8"), "abcd");
}

TEST(TorchFile, RefusesWhatDoesNotFit) {
  const auto refusal = [](const std::string& storage_keys, const std::string& rest) {
    return refusal_of_file(old_file(old_item("a", "7", 2), storage_keys + rest));
  };
  const std::string floats = content(2, "12345678");
  EXPECT_EQ(refusal(keys({"7"}), floats), "accepted");
  expect_contains(refusal(keys({"7", "7"}), floats + floats), "\"7\" occurs twice");
  expect_contains(refusal(keys({"6"}), floats), "\"6\" belongs to no tensor");
  expect_contains(refusal(keys({}), ""), "\"7\" is missing");
  expect_contains(refusal(keys({"7"}), "1234"), "\"7\" is cut short");
  expect_contains(refusal(keys({"7"}), content(2, "1234567")), "\"7\" is cut short");
  expect_contains(refusal(keys({"7"}), content(~uint64_t{0}, "12345678")), "\"7\" is cut short");
  expect_contains(refusal(keys({"7"}), floats + "x"), "bytes follow the last storage");
  expect_contains(refusal_of_file(kMagic + kVersion1001 + system_info(false)), "big-endian");
  expect_contains(refusal(kProto2 + global("os", "system") + ".", ""), "opcode 99 has no place");
  expect_contains(refusal_of_file(old_file(old_item("a", "7", 2, text("view")), "")),
                  "a storage's id of five parts");
  expect_contains(refusal_of_file(kMagic + "\x80\x02M\xe8\x03."s), "not a zip file");
}

TEST(TorchFile, SurvivesTruncationsAndFlippedBits) {
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    EXPECT_NE(refusal_of_file(kWhole.substr(0, random() % kWhole.size())), "accepted");
    std::string flipped = kWhole;
    flipped[random() % kWhole.size()] ^= static_cast<char>(1 + random() % 255);
    refusal_of_file(flipped);  // may be accepted: no format knows a changed weight
  }
}

}  // namespace rubric::models::torch_file_test
