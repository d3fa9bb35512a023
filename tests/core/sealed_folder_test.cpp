#include "core/sealed_folder.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

class Sealed : public testing::Test {
 protected:
  Sealed() {
    folder_.write("a.json", "{}");
    folder_.write("b.bin", std::string(3, '\0'));
    seal_folder(folder_.path());
    list_ = read_file(folder_.path() / "DONE");
  }

  std::string refusal() const {
    return input_error([&] { SealedFolder folder(folder_.path()); });
  }

  // With DONE changed at the first place that reads `before`.
  std::string refusal_of_list(const std::string& before, const std::string& after) const {
    std::string list = list_;
    EXPECT_NE(list.find(before), std::string::npos) << before;
    folder_.write("DONE", list.replace(list.find(before), before.size(), after));
    return refusal();
  }

  TemporaryFolder folder_;
  std::string list_;  // DONE as it was sealed
};

TEST_F(Sealed, GivesTheBytesThatWereThere) {
  const SealedFolder folder(folder_.path());
  EXPECT_EQ(folder.bytes("a.json"), "{}");
  EXPECT_EQ(folder.bytes("b.bin"), std::string(3, '\0'));
  EXPECT_EQ(folder.path("a.json"), folder_.file("a.json"));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.json", "b.bin"}));
}

// So that `sha256sum` and `jq` can check it, too.
TEST_F(Sealed, TheListHasSizesAndHashes) {
  const Json list = Json::parse(list_, "DONE");
  ASSERT_EQ(list.object().size(), 2U);
  const Json& record = list.require("b.bin", "");
  EXPECT_EQ(record.require_integer("bytes", ""), 3);
  EXPECT_EQ(record.require_string("sha256", ""),
            "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c");
}

TEST_F(Sealed, WhatCameLaterIsNotThere) {
  folder_.write("c", "");
  expect_contains(
      input_error([&] { SealedFolder(folder_.path()).bytes("c"); }),
      error_lines("the file is not listed in " + folder_.file("DONE"), folder_.file("c")));
}

TEST_F(Sealed, DamageIsNamed) {
  folder_.write("a.json", "[]");
  expect_contains(refusal(), "the file is damaged: its SHA-256 is not the one in DONE");
  expect_contains(refusal(), folder_.file("a.json"));
  folder_.write("a.json", "{");
  expect_contains(refusal(), "the file has 1 bytes, but DONE says 2");
  fs::remove(folder_.path() / "a.json");
  expect_contains(refusal(), error_lines("no such file", folder_.file("a.json")));
}

TEST_F(Sealed, AListThatIsNoneIsNamed) {
  for (const std::string& list : {std::string(), std::string("[]"), list_.substr(0, 30)}) {
    folder_.write("DONE", list);
    expect_contains(refusal(), folder_.file("DONE"));
  }
  expect_contains(refusal_of_list("bytes", "byte"), "\"bytes\"");
  expect_contains(refusal_of_list("sha256", "sha1"), "\"sha256\"");
  expect_contains(refusal_of_list("a.json", "../a.json"), "is not the name of a file");
  fs::remove(folder_.path() / "DONE");
  expect_contains(refusal(), error_lines("no such file", folder_.file("DONE")));
}

TEST_F(Sealed, AFolderThatCannotBeListedIsAnError) {
  EXPECT_THROW(seal_folder(folder_.path() / "nothing"), Error);
}

}  // namespace
}  // namespace rubric
