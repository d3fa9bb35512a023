#include "core/files/files.h"

#include <cerrno>  // program_invocation_short_name
#include <cstdlib>
#include <functional>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/files/gzip.h"
#include "messages.h"
#include "pipe.h"
#include "temporary_folder.h"

namespace rubric::files_test {

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
  const std::string pointer = folder
                                  .write("model.safetensors",
                                         "version https://git-lfs.github.com/spec/v1\n"
                                         "oid sha256:4d7a21\nsize 12345\n")
                                  .string();
  const std::vector<std::function<void(const fs::path&)>> readers = {
      [](const fs::path& path) { read_file(path); },
      [](const fs::path& path) { LineReader reader(path); },
      [](const fs::path& path) { MappedFile file(path); }};
  for (const auto& read : readers) {
    EXPECT_EQ(input_error([&] { read(missing); }),
              error_lines("no such file", missing, "check the path"));
    EXPECT_EQ(input_error([&] { read(folder.path()); }),
              error_lines("a directory, where a file is needed", folder.path().string(),
                          "name a file in it"));
    EXPECT_EQ(input_error([&] { read(too_long); }),
              error_lines("cannot open: File name too long", too_long,
                          "check the path, and who may read it"));
    EXPECT_EQ(input_error([&] { read(pointer); }),
              error_lines("only Git LFS's pointer to the file is there, not the file", pointer,
                          "run `git lfs pull` in its repository, or download the file itself"));
  }
}

TEST(ReadFile, OnlyAPointerOfGitLfsIsTakenForOne) {
  const TemporaryFolder folder;
  const std::string start = "version https://git-lfs.github.com/spec/v1\n";
  const std::string longer = start + std::string(1024, 'x'), other = "version https://git-lfs\n";
  EXPECT_EQ(read_file(folder.write("longer", longer)), longer);
  EXPECT_EQ(read_file(folder.write("other", other)), other);
}

TEST(ReadFile, AMissingFileIsToldTheNearestName) {
  const TemporaryFolder folder;
  const std::string there = folder.write("answers.jsonl", "{}");
  const std::string near = (folder.path() / "answer.jsonl").string();
  EXPECT_EQ(input_error([&] { read_file(near); }),
            error_lines("no such file", near, "did you mean " + there + "?"));
  fs::create_directory(folder.path() / "answer_jsonl");  // no file to be meant
  EXPECT_EQ(input_error([&] { read_file(near); }),
            error_lines("no such file", near, "did you mean " + there + "?"));
  const std::string link = (folder.path() / "link.jsonl").string();
  fs::create_symlink("gone", link);
  EXPECT_EQ(
      input_error([&] { read_file(link); }),
      error_lines("no such file", link,
                  "the symbolic link " + link + " leads nowhere: mend it, or fetch it again"));
  const std::string nowhere = (folder.path() / "none" / "answers.jsonl").string();
  EXPECT_EQ(input_error([&] { read_file(nowhere); }),
            error_lines("no such file", nowhere,
                        "check the path: there is no folder " + folder.file("none")));
  fs::create_directory(folder.path() / "samples");
  folder.write("samples/answers.jsonl", "{}");
  const std::string misspelt = (folder.path() / "sampels" / "answers.jsonl").string();
  EXPECT_EQ(input_error([&] { read_file(misspelt); }),
            error_lines("no such file", misspelt,
                        "did you mean " + folder.file("samples/answers.jsonl") + "?"));
  const std::string other = (folder.path() / "sampels" / "rows.jsonl").string();
  EXPECT_EQ(input_error([&] { read_file(other); }),
            error_lines("no such file", other,
                        "there is no folder " + folder.file("sampels") + ": did you mean " +
                            folder.file("samples") + "?"));
  fs::create_symlink("samples", folder.path() / "live");  // leads somewhere
  EXPECT_EQ(nearest_path(folder.path() / "live"), "");
  const std::string below_a_file = there + "/rows";
  EXPECT_EQ(
      input_error([&] { read_file(below_a_file); }),
      error_lines("no such file", below_a_file, "check the path: " + there + " is no folder"));
  EXPECT_EQ(nearest_path(folder.path() / "sample", fs::file_type::directory),
            "did you mean " + folder.file("samples") + "?");
  EXPECT_EQ(
      input_error([] { read_file("absent/answers.jsonl"); }),
      error_lines("no such file", "absent/answers.jsonl",
                  "check the path: there is no folder absent in " + fs::current_path().string()));
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

// "aé😀\n" and "b".
const std::string kLittleEndian(
    "\xFF\xFE"
    "a\0\xE9\0\x3D\xD8\x00\xDE\n\0b\0",
    14);
const std::string kBigEndian(
    "\xFE\xFF"
    "\0a\0\xE9\xD8\x3D\xDE\x00\0\n\0b",
    14);

TEST(ReadText, UnpacksAndDecodes) {
  const TemporaryFolder folder;
  const std::string text = "aé😀\nb";
  for (const std::string& bytes :
       {text, "\xEF\xBB\xBF" + text, gzip(text), kLittleEndian, kBigEndian, gzip(kLittleEndian)}) {
    const fs::path path = folder.write("text", bytes);
    EXPECT_EQ(read_text(path), text);
    LineReader reader(path);
    std::string first, second, none;
    EXPECT_TRUE(reader.next(first) && reader.next(second));
    EXPECT_FALSE(reader.next(none));
    EXPECT_EQ(first + "\n" + second, text);
  }
}

TEST(ReadText, BrokenUtf16IsNamed) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& bytes) {
    return input_error([&] { read_text(folder.write("text", bytes)); });
  };
  expect_contains(error(kLittleEndian.substr(0, 13)), "broken UTF-16 at byte 12");
  expect_contains(error(kLittleEndian.substr(0, 8)), "broken UTF-16 at byte 6");  // half a pair
  expect_contains(error(std::string("\xFF\xFE\x00\xDE", 4)), "broken UTF-16 at byte 2");
  EXPECT_EQ(error("\xFF\xFE"), "accepted");
}

TEST(LineReader, ReadsAPipe) {
  Pipe pipe("one\ntwo\n");
  pipe.close_writing_end();
  LineReader reader(pipe.reading_end());
  std::string line;
  EXPECT_TRUE(reader.next(line) && reader.next(line));
  EXPECT_EQ(line, "two");
}

// As in a pipe between two users (sudo -u): its ends are open, but no name opens them again.
TEST(StandardStreams, ArePipesOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may become another user";
  Pipe in("a\nb\n"), out("");
  in.close_writing_end();
  const int streams[] = {open(in.reading_end().c_str(), O_RDONLY),
                         open(out.writing_end().c_str(), O_WRONLY)};
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (dup2(streams[0], STDIN_FILENO) < 0 || dup2(streams[1], STDOUT_FILENO) < 0) _exit(3);
    if (setuid(kNobody) != 0) _exit(4);
    if (open(kStandardInput, O_RDONLY) >= 0) _exit(5);
    try {
      require_writable(kStandardOutput, "");
      LineReader lines(kStandardInput);
      std::string line;
      _exit(lines.next(line) && line == "a" && lines.next(line) && line == "b" ? 0 : 1);
    } catch (const Error&) {
      _exit(2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  for (const int stream : streams) close(stream);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
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
  const fs::path name = fs::read_symlink("/proc/self/exe").filename();
  EXPECT_TRUE(fs::equivalent(program_directory() / name, "/proc/self/exe"));
}

}  // namespace rubric::files_test
