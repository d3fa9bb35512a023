// AtomicFile and the names under which files are made (core/files.h).
#include <cerrno>
#include <climits>
#include <cstring>
#include <functional>
#include <set>
#include <stdexcept>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/file.h>
#include <unistd.h>

#include "messages.h"
#include "pipe.h"
#include "small_disk.h"
#include "temporary_folder.h"

namespace rubric::atomic_file_test {

// The message of the Error, not the user's, that `call` ends with.
std::string write_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    ADD_FAILURE() << "an InputError: " << error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "written";
}

TEST(AtomicFile, HasItsNameOnlyAfterCommit) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "out";
  {
    AtomicFile file(path);
    file.write("one ");
    file.write("two");
    EXPECT_FALSE(fs::exists(path));
    file.commit();
    EXPECT_EQ(read_file(path), "one two");
  }
  EXPECT_EQ(read_file(path), "one two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, LeavesNothingAfterAnException) {
  const TemporaryFolder folder;
  const fs::path old = folder.write("old", "before"), young = folder.path() / "young";
  try {
    AtomicFile first(old), second(young);
    first.write(std::string(3 << 20, 'x'));
    second.write("y");
    throw std::runtime_error("stop");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(read_file(old), "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, KeepsTheOrderOfSmallAndLargeWrites) {
  const TemporaryFolder folder;
  const size_t buffer = 1 << 20;
  AtomicFile file(folder.path() / "out");
  std::string expected;
  char letter = 'a';
  for (const size_t size : {size_t{3}, buffer - 3, buffer, size_t{1}, buffer + 1, 3 * buffer,
                            size_t{0}, size_t{2}, buffer - 1, size_t{5}}) {
    const std::string part(size, letter++);
    file.write(part);
    expected += part;
  }
  file.commit();
  EXPECT_TRUE(read_file(folder.path() / "out") == expected);
}

TEST(AtomicFile, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  const fs::path missing = folder.path() / "none" / "out";
  EXPECT_EQ(write_error([&] { write_file(missing, "x"); }),
            error_lines("cannot write: No such file or directory", missing.string(),
                        "choose another directory, then start again"));
  const fs::path taken = folder.path() / "taken";
  fs::create_directory(taken);
  expect_contains(write_error([&] { write_file(taken, "x"); }), "Is a directory");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, TheAdviceIsForTheCause) {
  expect_contains(write_advice(ENOSPC), "free some space");
  expect_contains(write_advice(EFBIG), "free some space");
  expect_contains(write_advice(EACCES), "change its permissions");
  for (const int error : {EACCES, EROFS, ENOENT}) {
    EXPECT_FALSE(holds(write_advice(error), "space")) << error;
  }
}

TEST(AtomicFile, AFolderThatCannotBeMadeIsNamed) {
  const TemporaryFolder folder;
  const fs::path below = folder.write("file", "x") / "folder";
  EXPECT_EQ(write_error([&] { make_directories(below); }),
            error_lines("cannot create the directory: Not a directory", below.string(),
                        "choose another directory, then start again"));
}

TEST(AtomicFile, AFullDiskIsAnErrorAndLeavesNothing) {
  const SmallDisk disk;
  const fs::path path = disk.path() / "out";
  write_file(path, "before");
  for (const size_t size : {size_t{100'000}, size_t{3'000'000}}) {  // in commit(), in write()
    const std::string message = write_error([&] { write_file(path, std::string(size, 'x')); });
    expect_contains(message, "cannot write: " + disk.complaint() + "\n  where: " + path.string());
    EXPECT_EQ(read_file(path), "before");
    EXPECT_EQ(std::distance(fs::directory_iterator(disk.path()), {}), 1);
  }
}

TEST(AtomicFile, ADeviceOrPipeIsWrittenAtOnce) {
  expect_contains(write_error([] { write_file("/dev/full", "x"); }), "No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  Pipe pipe("");
  write_file(pipe.writing_end(), "text");
  pipe.close_writing_end();
  EXPECT_EQ(read_file(pipe.reading_end()), "text");
}

TEST(AtomicFile, ReplacesWhatASymbolicLinkPointsTo) {
  const TemporaryFolder folder;
  const fs::path target = folder.write("there/target", "before"), link = folder.path() / "link";
  fs::create_symlink("there/target", link);
  write_file(link, "after");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_file(target), "after");
  EXPECT_EQ(std::distance(fs::directory_iterator(target.parent_path()), {}), 1);
  // Through two links, to what is not there yet.
  const fs::path second = folder.path() / "second";
  fs::remove(target);
  fs::create_symlink(link, second);
  write_file(second, "anew");
  EXPECT_TRUE(fs::is_symlink(second) && fs::is_symlink(link));
  EXPECT_EQ(read_file(target), "anew");
}

TEST(AtomicFile, WhatAKilledProcessLeftIsRemoved) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "out";
  const fs::path abandoned = folder.write(partial_path(path).filename(), "half");
  const fs::path of_another_machine = folder.write("out.partial-!other!-0123456789abcdef", "half");
  const fs::path of_another_file = folder.write(partial_path("out2").string(), "half");
  const fs::path being_written = folder.write(partial_path(path).filename(), "half");
  const int writer = open(being_written.c_str(), O_WRONLY);
  ASSERT_EQ(flock(writer, LOCK_EX), 0);  // as an AtomicFile holds it
  write_file(path, "whole");
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(of_another_machine));
  EXPECT_TRUE(fs::exists(of_another_file));
  EXPECT_TRUE(fs::exists(being_written));
  close(writer);
  write_file(path, "whole");
  EXPECT_FALSE(fs::exists(being_written));
}

// Nodes of a cluster have long names that differ at their ends.
TEST(PartialPrefix, IsAnotherOnEachMachine) {
  char before[HOST_NAME_MAX + 1] = {};
  gethostname(before, sizeof(before) - 1);
  if (unshare(CLONE_NEWUTS) != 0) GTEST_SKIP() << "no right to give this process a host name";
  std::set<std::string> prefixes;
  for (const char digit : {'1', '2', '1'}) {
    const std::string name = std::string(HOST_NAME_MAX - 1, 'n') + digit;
    ASSERT_EQ(sethostname(name.data(), name.size()), 0);
    prefixes.insert(partial_prefix("out"));
  }
  sethostname(before, std::strlen(before));
  EXPECT_EQ(prefixes.size(), 2u);
}

TEST(AtomicFile, TwoOfOneNameDoNotMeet) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "out";
  AtomicFile first(path), second(path);
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(read_file(path), "first");
  second.commit();
  EXPECT_EQ(read_file(path), "second");
}

TEST(PartialPath, IsAnotherEachTimeInTheSameFolder) {
  std::set<fs::path> paths;
  for (int i = 0; i < 100; ++i) paths.insert(partial_path("folder/name"));
  EXPECT_EQ(paths.size(), 100u);
  for (const fs::path& path : paths) {
    EXPECT_EQ(path.parent_path(), "folder");
    EXPECT_TRUE(path.filename().string().starts_with("name.partial-")) << path;
  }
}

}  // namespace rubric::atomic_file_test
