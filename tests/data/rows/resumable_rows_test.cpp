#include "data/rows/resumable_rows.h"

#include <cerrno>
#include <iostream>

#include <sys/stat.h>

#include "core/files/files.h"
#include "failing_call.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::resumable_rows_test {

using Names = std::vector<std::string>;

struct Resumable : testing::Test {
  Resumable() { identity_["model"] = "a"; }

  ResumableRows open() const { return {output_, identity_}; }
  static std::vector<Json> rows(const std::vector<int64_t>& numbers) {
    std::vector<Json> rows;
    for (const int64_t number : numbers) rows.emplace_back(Json::Object{{"n", number}});
    return rows;
  }

  TemporaryFolder folder_;
  const std::string output_ = folder_.file("out.jsonl");
  const std::string unfinished_ = output_ + ".unfinished";
  Json identity_;
};

TEST_F(Resumable, TheFileIsThereWhenAllRowsAre) {
  {
    ResumableRows out = open();
    EXPECT_EQ(out.done(), 0);
    out.append(rows({1, 2}));
    out.append(rows({3}));
    EXPECT_EQ(out.done(), 3);
    EXPECT_EQ(folder_.names(), (Names{"out.jsonl.unfinished", "out.jsonl.unfinished.json"}));
    EXPECT_EQ(read_file(unfinished_), "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n");  // before it ends
    out.commit();
  }
  EXPECT_EQ(folder_.names(), Names{"out.jsonl"});
  EXPECT_EQ(read_file(output_), "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n");
}

TEST_F(Resumable, GoesOnBehindTheLastCompleteLine) {
  open().append(rows({1, 2}));
  write_file(unfinished_, read_file(unfinished_) + "{\"n\": 3");  // a killed process's
  ResumableRows out = open();
  EXPECT_EQ(out.done(), 2);
  out.append(rows({3}));
  out.commit();
  EXPECT_EQ(read_file(output_), "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n");
}

// A full disk may have taken a part of a group, whose rows are computed together.
TEST_F(Resumable, KeepsWholeGroups) {
  open().append(rows({1, 2, 3, 4, 5}));
  {
    ResumableRows out(output_, identity_, 2);
    EXPECT_EQ(out.done(), 4);
    out.append(rows({5}));
  }
  EXPECT_EQ(read_file(unfinished_), "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n{\"n\": 4}\n{\"n\": 5}\n");
  EXPECT_EQ(ResumableRows(output_, identity_, 7).done(), 0);
}

TEST_F(Resumable, AnotherCallIsRefusedByName) {
  open().append(rows({1}));
  identity_["model"] = "b";
  const std::string message = input_error([&] { open(); });
  expect_says(message, {"another model: a there, b now", unfinished_});
  EXPECT_EQ(read_file(unfinished_), "{\"n\": 1}\n");
  identity_["model"] = "";
  expect_contains(input_error([&] { open(); }), "another model: a there, none now");
}

// A line taken out by hand would shift all that follow.
TEST_F(Resumable, RowsThatAreNotTheInputsAreNamed) {
  const std::vector<Json> inputs = rows({1, 2});
  open().append(inputs);
  const std::string first = "{\"n\": 1, \"made\": \"a\"}\n";
  for (const std::string second : {"{\"n\": 3}\n", "{\"made\": \"b\"}\n", "2\n", "\n"}) {
    write_file(unfinished_, first + second);
    expect_contains(input_error([&] { open().require_made_of(inputs); }), unfinished_ + ":2");
    EXPECT_EQ(read_file(unfinished_), first + second);
  }
  write_file(unfinished_, first + "{\"made\": \"b\", \"n\": 2}\n");
  EXPECT_EQ(input_error([&] { open().require_made_of(inputs); }), "accepted");
  expect_contains(input_error([&] { open().require_made_of(rows({1})); }),
                  "not what becomes of row 2 of the input");
}

TEST_F(Resumable, ASecondProcessIsRefused) {
  const ResumableRows out = open();
  expect_contains(input_error([&] { open(); }), "another process is writing");
}

TEST_F(Resumable, AFileSystemWithoutLocksIsAnError) {
  const auto open_without_locks = [&] {
    make_fail(SYS_flock, ENOLCK);
    try {
      open();
    } catch (const Error& error) {
      std::cerr << one_line(error);
      _exit(kFailed);
    }
    _exit(kDone);
  };
  EXPECT_EXIT(open_without_locks(), testing::ExitedWithCode(kFailed),
              "the file cannot be locked: No locks available");
}

TEST_F(Resumable, RowsOfUnknownOriginAreRefused) {
  folder_.write("out.jsonl.unfinished", "{\"n\": 1}\n");
  expect_contains(input_error([&] { open(); }), "nothing says what");
}

// Elsewhere than the link the rename would be too far, on another disk, or leave the target as it
// was.
TEST_F(Resumable, BehindALinkItsTargetIsWritten) {
  const std::string target = folder_.write("there/rows.jsonl", "earlier\n");
  std::filesystem::create_symlink(target, output_);
  ResumableRows out = open();
  out.append(rows({1}));
  EXPECT_EQ(read_file(target + ".unfinished"), "{\"n\": 1}\n");
  out.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(output_));
  EXPECT_EQ(folder_.names(), (Names{"out.jsonl", "there"}));
  EXPECT_EQ(read_file(target), "{\"n\": 1}\n");
}

TEST_F(Resumable, WhatIsNoFileIsRefusedAndStays) {
  const std::string link = folder_.file("device"), pipe = folder_.file("pipe");
  std::filesystem::create_symlink("/dev/null", link);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& name : {link, pipe, folder_.path().string()}) {
    expect_contains(input_error([&] { require_resumable(name); }), name);
    expect_contains(input_error([&] { ResumableRows(name, identity_); }), "name a file");
  }
  EXPECT_EQ(folder_.names(), (Names{"device", "pipe"}));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

// Killed between the last two steps of commit().
TEST_F(Resumable, AnIdentityWithoutRowsHindersNothing) {
  open().commit();
  folder_.write("out.jsonl.unfinished.json", "{\"model\": \"b\"}");
  ResumableRows out = open();
  EXPECT_EQ(out.done(), 0);
  out.commit();
  EXPECT_EQ(folder_.names(), Names{"out.jsonl"});
}

}  // namespace rubric::data::resumable_rows_test
