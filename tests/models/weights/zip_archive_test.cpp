#include <random>

#include <gtest/gtest.h>

#include "messages.h"
#include "models/weights/torch_file.h"
#include "models/weights/zips.h"

namespace rubric::models::zip_archive_test {

std::string refusal_of_zip(const std::string& bytes) {
  return input_error([&] { read_zip_records(bytes, "model.bin"); });
}

TEST(ZipArchive, ReadsWhatLibtorchWrites) {
  const std::string bytes = zip({{"data.pkl", "pickle"}, {"data/0", "floats"}, {"data/1", ""}});
  const auto records = read_zip_records(bytes, "model.bin");
  EXPECT_EQ(records.at("data.pkl"), "pickle");
  EXPECT_EQ(records.at("data/0"), "floats");
  EXPECT_EQ(records.at("data/1"), "");
}

TEST(ZipArchive, Reads64BitSizesAndOffsets) {
  const std::string bytes = zip64_by_hand({{"data.pkl", "pickle"}, {"data/0", "floats"}});
  const auto records = read_zip_records(bytes, "model.bin");
  EXPECT_EQ(records.size(), 2u);
  EXPECT_EQ(records.at("data.pkl"), "pickle");
  EXPECT_EQ(records.at("data/0"), "floats");
}

TEST(ZipArchive, RefusesCompressedAndRepeatedRecords) {
  const std::string zeros(1 << 20, '\0');
  expect_contains(refusal_of_zip(zip({{"data.pkl", zeros}}, true)), "data.pkl\" is compressed");
  expect_contains(refusal_of_zip(zip64_by_hand({{"data.pkl", "a"}, {"data.pkl", "b"}})),
                  "occurs twice");
}

TEST(ZipArchive, RefusesWhatIsNoZip) {
  expect_contains(refusal_of_zip(""), "not a zip file");
  expect_says(refusal_of_zip("not a zip file"), {"not a zip file", "model.bin"});
}

TEST(ZipArchive, RefusesEveryTruncation) {
  const std::string whole = zip({{"data.pkl", "pickle"}, {"data/0", "floats"}});
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refusal_of_zip(whole.substr(0, size)), "accepted") << size << " bytes";
  }
}

TEST(ZipArchive, RecordsStayInsideTheFileWhateverByteIsWrong) {
  std::mt19937 random(7);
  for (const std::string& whole :
       {zip({{"data.pkl", "pickle"}}), zip64_by_hand({{"data.pkl", "pickle"}})}) {
    for (size_t i = 0; i < whole.size(); ++i) {
      std::string damaged = whole;
      damaged[i] ^= static_cast<char>(1 + random() % 255);
      input_error([&] {
        for (const auto& [name, content] : read_zip_records(damaged, "model.bin")) {
          EXPECT_GE(content.data(), damaged.data());
          EXPECT_LE(content.data() + content.size(), damaged.data() + damaged.size());
        }
      });
    }
  }
}

}  // namespace rubric::models::zip_archive_test
