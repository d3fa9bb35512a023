#include "core/files.h"

#include <cerrno>  // program_invocation_short_name
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "messages.h"
#include "small_disk.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

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

// A pipe that holds `text`, by the path of its reading end.
class Pipe {
 public:
  explicit Pipe(const std::string& text) {
    if (pipe(ends_) != 0 || write(ends_[1], text.data(), text.size()) < 0) {
      throw std::runtime_error("no pipe");
    }
  }
  ~Pipe() {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::string reading_end() const { return "/proc/self/fd/" + std::to_string(ends_[0]); }
  std::string writing_end() const { return "/proc/self/fd/" + std::to_string(ends_[1]); }
  void close_writing_end() { close(std::exchange(ends_[1], -1)); }

 private:
  int ends_[2] = {-1, -1};
};

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
                        "free some space or choose another folder, then start again"));
  const fs::path taken = folder.path() / "taken";
  fs::create_directory(taken);
  expect_contains(write_error([&] { write_file(taken, "x"); }), "Is a directory");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, AFullDiskIsAnErrorAndLeavesNothing) {
  const SmallDisk disk("64k");
  if (!disk.is_mounted()) GTEST_SKIP() << "no right to mount a small file system";
  const fs::path path = disk.path() / "out";
  write_file(path, "before");
  for (const size_t size : {size_t{100'000}, size_t{3'000'000}}) {  // in commit(), in write()
    const std::string message = write_error([&] { write_file(path, std::string(size, 'x')); });
    expect_contains(message, "cannot write: No space left on device\n  where: " + path.string());
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
}

TEST(ReadFile, GivesAllBytes) {
  const TemporaryFolder folder;
  std::string bytes("\xFF\0\r\n", 4);
  for (int i = 0; i < 17; ++i) bytes += bytes;
  EXPECT_TRUE(read_file(folder.write("bytes", bytes)) == bytes);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
  Pipe pipe("piped");
  pipe.close_writing_end();
  EXPECT_EQ(read_file(pipe.reading_end()), "piped");
}

// Each way of reading a file refuses the same.
TEST(ReadFile, WhatCannotBeReadIsAnInputError) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "none").string();
  const std::string too_long = (folder.path() / std::string(300, 'x')).string();
  const std::vector<std::function<void(const fs::path&)>> readers = {
      [](const fs::path& path) { read_file(path); },
      [](const fs::path& path) { LineReader reader(path); },
      [](const fs::path& path) { MappedFile file(path); }};
  for (const auto& read : readers) {
    EXPECT_EQ(input_error([&] { read(missing); }), error_lines("no such file", missing));
    EXPECT_EQ(input_error([&] { read(folder.path()); }),
              error_lines("a folder, where a file is needed", folder.path().string()));
    EXPECT_EQ(input_error([&] { read(too_long); }),
              error_lines("cannot open: File name too long", too_long));
  }
}

TEST(ReadFile, AFailureOnTheWayIsNotTheEnd) {
  const fs::path unreadable = "/proc/self/mem";  // opens, and fails at the first byte
  expect_contains(input_error([&] { read_file(unreadable); }), "cannot read");
  std::string line;
  expect_contains(input_error([&] { LineReader(unreadable).next(line); }), "cannot read");
}

TEST(LineReader, GivesLinesWithoutTheirEnds) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("lines", std::string("\xEF\xBB\xBF"
                                                          "one\r\n\n t\0wo \r\r\nlast",
                                                          22));
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    lines.push_back(line);
    EXPECT_EQ(reader.line_number(), std::ssize(lines));
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", std::string(" t\0wo \r", 7), "last"}));
  EXPECT_EQ(reader.where(), path.string() + ":4");
}

TEST(LineReader, AnEmptyFileHasNoLine) {
  const TemporaryFolder folder;
  std::string line;
  EXPECT_FALSE(LineReader(folder.write("empty", "")).next(line));
  EXPECT_TRUE(LineReader(folder.write("blank", "\n")).next(line));
}

TEST(MappedFile, GivesAllBytesOfAFile) {
  const TemporaryFolder folder;
  const std::string bytes(10000, 'x');
  EXPECT_EQ(MappedFile(folder.write("bytes", bytes)).bytes(), bytes);
  EXPECT_EQ(MappedFile(folder.write("empty", "")).bytes(), "");
  Pipe pipe("piped");  // would look like an empty file
  expect_contains(input_error([&] { MappedFile file(pipe.reading_end()); }), "a pipe or device");
}

TEST(Environment, IsEmptyWhenUnset) {
  setenv("RUBRIC_FILES_TEST", "value", 1);
  EXPECT_EQ(environment("RUBRIC_FILES_TEST"), "value");
  unsetenv("RUBRIC_FILES_TEST");
  EXPECT_EQ(environment("RUBRIC_FILES_TEST"), "");
}

TEST(ProgramDirectory, HoldsTheProgram) {
  EXPECT_TRUE(fs::is_regular_file(program_directory() / program_invocation_short_name));
}

}  // namespace
}  // namespace rubric
