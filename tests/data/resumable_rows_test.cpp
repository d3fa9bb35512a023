#include "data/resumable_rows.h"

#include "core/files.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

using Names = std::vector<std::string>;

class Resumable : public testing::Test {
 protected:
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

TEST_F(Resumable, AnotherCallIsRefusedByName) {
  open().append(rows({1}));
  identity_["model"] = "b";
  const std::string message = input_error([&] { open(); });
  expect_contains(message, "another model: a there, b now");
  expect_contains(message, unfinished_);
  EXPECT_EQ(read_file(unfinished_), "{\"n\": 1}\n");
}

TEST_F(Resumable, ASecondProcessIsRefused) {
  const ResumableRows out = open();
  expect_contains(input_error([&] { open(); }), "another process is writing");
}

TEST_F(Resumable, RowsOfUnknownOriginAreRefused) {
  folder_.write("out.jsonl.unfinished", "{\"n\": 1}\n");
  expect_contains(input_error([&] { open(); }), "nothing says what");
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

}  // namespace
}  // namespace rubric
