#include "core/files/files.h"

#include <cerrno>  // program_invocation_short_name
#include <cstdlib>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "messages.h"
#include "pipe.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

TEST(IsThere, SaysWhenItCannotTell) {
  const TemporaryFolder folder;
  EXPECT_TRUE(is_there(folder.write("file", ""), "look"));
  EXPECT_FALSE(is_there(folder.path() / "file" / "none", "look"));
  fs::create_symlink("loop", folder.path() / "loop");
  EXPECT_EQ(input_error([&] { is_there(folder.path() / "loop" / "file", "look"); }),
            error_lines("cannot look at it: Too many levels of symbolic links",
                        folder.file("loop/file"), "look"));
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
              error_lines("a directory, where a file is needed", folder.path().string()));
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
