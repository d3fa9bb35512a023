#include "data/model_files/gguf.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "messages.h"
#include "models/weights/weights.h"
#include "paths.h"
#include "sanitized.h"

namespace rubric::models::gguf_test {

namespace fs = std::filesystem;

const fs::path kGguf = fs::path(fixtures_folder()) / "gguf";

std::string digest(const at::Tensor& tensor) {
  const at::Tensor numbers = tensor.to(at::kFloat).contiguous();
  return sha256({static_cast<const char*>(numbers.const_data_ptr()), numbers.nbytes()});
}

// Blocks of every kind, and the order of rows that the converter changed, bit for bit.
TEST(Gguf, TensorsEqualTheirOwners) {
  const Json expected = Json::parse_file(kGguf / "tensors.json");
  for (const char* const name : {"types", "llama"}) {
    const NamedTensors tensors = read_gguf(kGguf / (std::string(name) + ".gguf"));
    const Json::Object& of_file = expected.find(name)->object();
    EXPECT_EQ(tensors.size(), of_file.size());
    for (const auto& [published, tensor] : of_file) {
      SCOPED_TRACE(published);
      const at::Tensor* const found = find_tensor(tensors, published);
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(digest(*found), tensor.find("sha256")->string());
    }
  }
}

TEST(Gguf, NumbersOfPublishedFilesEqualThePackages) {
  if (is_sanitized()) GTEST_SKIP() << "a billion numbers: without sanitizers only";
  const Json expected = Json::parse_file(kGguf / "real.json");
  for (const auto& [name, of_file] : expected.object()) {
    const fs::path file = fs::path(fetched_folder()) / name / "model.gguf";
    if (!fs::exists(file)) GTEST_SKIP() << "no " << file << ": scripts/setup --" << name;
    std::string digests;
    const data::GgufFile opened(file);
    for (const data::GgufTensor& tensor : opened.tensors()) digests += digest(unpacked(tensor));
    EXPECT_EQ(sha256(digests), of_file.find("tensors")->string()) << name;
  }
}

// No prefix of a file is read, and a changed byte ends in nothing but an InputError.
TEST(Gguf, DamagedFilesAreRefused) {
  const std::string whole = read_file(kGguf / "types.gguf");
  const fs::path file = fs::path(testing::TempDir()) / "damaged.gguf";
  const auto refusal = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
    return input_error([&] { read_gguf(file); });
  };
  for (size_t length = 0; length < whole.size(); length += length < 1200 ? 5 : 997) {
    EXPECT_NE(refusal(whole.substr(0, length)), "accepted") << length;
  }
  for (size_t at = 0; at < 1200; at += 3) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x81);
    refusal(changed);
  }
}

}  // namespace rubric::models::gguf_test
