#include <functional>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/files/directories.h"
#include "core/json/json.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::sealed_directory_test {

// The message of the Error, and no InputError, that `call` ends with.
std::string error(const std::function<void()>& call) {
  try {
    EXPECT_EQ(input_error(call), "accepted");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kToDo = "copy the directory again from where it was written, or remove it";

struct Sealed : testing::Test {
  Sealed() {
    folder_.write("a.json", "{}");
    folder_.write("b.bin", std::string(3, '\0'));
    seal_directory(folder_.path(), list_directory(folder_.path()));
    list_ = read_file(folder_.path() / "DONE");
  }

  std::string refusal() const {
    return input_error([&] { SealedDirectory(folder_.path()).require_whole(); });
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
  const SealedDirectory folder(folder_.path());
  EXPECT_EQ(folder.read("a.json"), "{}");
  EXPECT_EQ(folder.read("b.bin"), std::string(3, '\0'));
  folder.require_whole();
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
      input_error([&] { SealedDirectory(folder_.path()).read("c"); }),
      error_lines("the file is not listed in " + folder_.file("DONE"), folder_.file("c")));
}

TEST_F(Sealed, DamageIsNamed) {
  const auto expect_refused = [&](const std::string& what) {
    const bool is_no_file = what.ends_with("where a file is needed");
    const std::string expected =
        error_lines(what, folder_.file("a.json"), is_no_file ? "name a file" : kToDo);
    EXPECT_EQ(refusal(), expected);
    EXPECT_EQ(input_error([&] { SealedDirectory(folder_.path()).read("a.json"); }), expected);
  };
  folder_.write("a.json", "[]");
  expect_refused("the file is damaged: its SHA-256 is not the one in DONE");
  folder_.write("a.json", "{");
  expect_refused("the file has 1 bytes, but DONE says 2");
  fs::remove(folder_.path() / "a.json");
  expect_refused("no such file");
  fs::create_directory(folder_.path() / "a.json");
  expect_refused("a directory, where a file is needed");
  fs::remove(folder_.path() / "a.json");
  fs::create_symlink(folder_.file("b.bin"), folder_.path() / "a.json");
  expect_refused("a symbolic link, where a file is needed");
  fs::remove(folder_.path() / "a.json");
  ASSERT_EQ(mkfifo(folder_.file("a.json").c_str(), 0600), 0);
  expect_refused("a pipe or device, where a file is needed");
}

// Cut short in between: what was compared must be what is used.
TEST_F(Sealed, WhatHasBeenReadStaysAsItWas) {
  const SealedDirectory folder(folder_.path());
  const std::string bytes = folder.read("b.bin");
  fs::resize_file(folder_.path() / "b.bin", 0);
  EXPECT_EQ(bytes, std::string(3, '\0'));
  expect_contains(input_error([&] { folder.read("b.bin"); }), "the file has 0 bytes");
}

TEST_F(Sealed, AListThatIsNoneIsNamed) {
  for (const std::string& list : {std::string(), std::string("[]"), list_.substr(0, 30)}) {
    folder_.write("DONE", list);
    expect_contains(refusal(), folder_.file("DONE"));
  }
  expect_contains(refusal_of_list("bytes", "byte"), "\"bytes\"");
  expect_contains(refusal_of_list("sha256", "sha1"), "\"sha256\"");
  for (const char* name :
       {"../a.json", "", ".", "..", "/", "a/", "/etc/passwd", "DONE", "a.json\\u0000"}) {
    expect_contains(refusal_of_list("a.json", name), " is not the name of a file");
    expect_contains(refusal_of_list("a.json", name), folder_.file("DONE"));
  }
  expect_contains(refusal_of_list("a.json", std::string(300, 'a')), "File name too long");
  fs::remove(folder_.path() / "DONE");
  expect_contains(refusal(), error_lines("no such file", folder_.file("DONE")));
}

// What the caller says it has written, not what happens to be there.
TEST_F(Sealed, WhatIsMissingIsNotSealed) {
  const TemporaryFolder other;
  other.write("a", "1");
  other.write("c", "3");
  EXPECT_EQ(error([&] {
              seal_directory(other.path(), {"a", "b"});
            }),
            error_lines("what was written is not there: no such file", other.file("b")));
  EXPECT_FALSE(fs::exists(other.path() / "DONE"));
  seal_directory(other.path(), {"a"});
  EXPECT_EQ(SealedDirectory(other.path()).names(), std::vector<std::string>{"a"});
}

// The memory of a process is a file, of which the first page cannot be read.
TEST(SealFolder, AFileThatCannotBeReadIsAnError) {
  EXPECT_EQ(error([] { seal_directory("/proc/self", {"mem"}); }),
            error_lines("cannot read: Input/output error", "/proc/self/mem"));
}

TEST(NamesIn, AreSorted) {
  const TemporaryFolder folder;
  for (const char* name : {"c", "a", "b"}) folder.write(name, "");
  EXPECT_EQ(list_directory(folder.path()), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_THROW(list_directory(folder.path() / "nothing"), Error);
}

}  // namespace rubric::sealed_directory_test
