// Many processes at one token store: some read, some write, some are killed.
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/random.h"
#include "data/rows/example_rows.h"
#include "data/tokens/tokenized_answers.h"
#include "temporary_folder.h"

namespace rubric::data::token_store_load_test {

constexpr size_t kRows = 20'000;  // so many that a kill comes in the middle of a file

pid_t start(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(1);
  }
  _exit(testing::Test::HasFailure() ? 1 : 0);
}

void expect_success(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// What a reader must find at any moment: nothing yet, or all of it.
void read_often(const fs::path& file, const TokenizedAnswers& expected, int times) {
  for (int i = 0; i < times;) {
    if (!fs::exists(file)) continue;
    EXPECT_TRUE(contents(read_token_store(file)) == contents(expected));
    ++i;
  }
}

TEST(TokenStoreUnderLoad, ManyReadAndWriteTheSame) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.h5";
  const TokenizedAnswers rows = example_rows(kRows);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(start([&] { read_often(file, rows, 10); }));
    children.push_back(start([&] {
      for (int j = 0; j < 5; ++j) write_token_store(file, rows, "hash");
    }));
  }
  for (const pid_t child : children) expect_success(child);
  EXPECT_EQ(files_in(folder.path()), std::vector<fs::path>{file});
}

TEST(TokenStoreUnderLoad, AKilledWriterSpoilsNothingAndLeavesNothing) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.h5";
  const TokenizedAnswers rows = example_rows(kRows);
  write_token_store(file, rows, "hash");
  bool was_left = false;
  constexpr uint64_t kKills = 20, kMostKills = 1000;  // until one came in the middle of a file
  for (uint64_t i = 0; i < kKills || (!was_left && i < kMostKills); ++i) {
    const pid_t writer = start([&] {
      for (;;) write_token_store(file, rows, "hash");
    });
    const pid_t reader = start([&] { read_often(file, rows, 2); });
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + below(mix(i), 40)));
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    expect_success(reader);
    was_left = was_left || files_in(folder.path()).size() > 1;
    write_token_store(file, rows, "hash");
    EXPECT_EQ(files_in(folder.path()), std::vector<fs::path>{file}) << i;
  }
  EXPECT_TRUE(was_left);
}

}  // namespace rubric::data::token_store_load_test
