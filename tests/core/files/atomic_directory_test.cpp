#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/files/directories.h"
#include "core/files/files.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::atomic_directory_test {

using Names = std::vector<std::string>;

TEST(AtomicDirectory, AppearsWithItsFiles) {
  const TemporaryFolder folder;
  {
    AtomicDirectory directory(folder.path() / "out/");
    write_file(directory.path() / "a", "text");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "out"));
    directory.commit();
  }
  EXPECT_EQ(folder.names(), Names{"out"});
  EXPECT_EQ(read_file(folder.path() / "out" / "a"), "text");
}

TEST(AtomicDirectory, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    AtomicDirectory directory(folder.path() / "out");
    write_file(directory.path() / "a", "text");
    EXPECT_EQ(folder.names().size(), 1u);
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(AtomicDirectory, ReplacesAnEmptyFolderOnly) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "out");
  AtomicDirectory(folder.path() / "out").commit();
  folder.write("out/a", "mine");
  folder.write("file", "mine");
  for (const char* name : {"out", "file"}) {
    EXPECT_EQ(input_error([&] { AtomicDirectory(folder.path() / name); }),
              error_lines("there is something of this name already", folder.file(name),
                          "name another directory, or delete this one first"));
  }
  expect_contains(input_error([&] { AtomicDirectory(folder.path() / "no" / "out"); }),
                  "make it first: mkdir -p " + folder.file("no"));
  EXPECT_EQ(folder.names(), (Names{"file", "out"}));
}

TEST(AtomicDirectory, TheNextRemovesWhatAKilledProcessLeft) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    AtomicDirectory directory(folder.path() / "out");
    write_file(directory.path() / "a", "text");
    _exit(0);  // without destructors
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(folder.names().size(), 1u);
  AtomicDirectory first(folder.path() / "out");
  EXPECT_EQ(folder.names().size(), 1u);
  AtomicDirectory second(folder.path() / "out");  // the first is still being made
  EXPECT_TRUE(std::filesystem::exists(first.path()));
  EXPECT_EQ(folder.names().size(), 2u);
}

}  // namespace rubric::atomic_directory_test
