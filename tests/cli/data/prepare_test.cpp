// `prepare`: the token store of a configuration, and where it is.
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "paths.h"

namespace rubric::cli::prepare_test {

std::vector<std::string> prepare_command(const std::string& store) {
  return {"prepare",
          "--config",
          "sample_lerc.yaml",
          "--set",
          "data.hold_out=[drop]",
          "--set",
          "model.name=" + std::string(fixtures_folder()) + "/lerc",
          "--set",
          "data.store=" + store};
}

Outcome prepare(const std::string& store) {
  return run(prepare_command(store));
}

TEST(Prepare, FillsTheStoreAndSaysWhereItIs) {
  const TemporaryFolder folder;
  const std::string store = folder.file("store");
  const Outcome first = done(prepare(store));
  EXPECT_EQ(first.out, "token store: " + store + "\n");
  expect_says(first.err, {"tokenised ", "train: "});
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(store), {}), 2);
  const Outcome again = prepare(store);
  EXPECT_EQ(again.out, first.out);
  EXPECT_FALSE(holds(again.err, "tokenised ")) << again.err;
}

// As a launcher starts them, or several jobs. One of five is killed; whoever comes next removes
// what it left.
TEST(Prepare, ManyMayFillOneStore) {
  const TemporaryFolder folder;
  const std::string store = folder.file("store");
  std::vector<std::unique_ptr<Process>> processes;
  for (int i = 0; i < 5; ++i) {
    const Environment rank = {{"RANK", std::to_string(i)}, {"WORLD_SIZE", "5"}};
    processes.push_back(std::make_unique<Process>(prepare_command(store), rank));
  }
  while (!processes[0]->ended() && !std::filesystem::exists(store)) usleep(1000);
  processes[0]->send(SIGKILL);
  for (size_t i = 0; i < processes.size(); ++i) {
    const Outcome outcome = processes[i]->wait();
    EXPECT_TRUE(outcome.code == 0 || i == 0) << outcome.err;
  }
  std::vector<std::filesystem::path> stores;
  for (const auto& entry : std::filesystem::directory_iterator(store)) {
    if (entry.path().extension() == ".h5") stores.push_back(entry.path());
  }
  ASSERT_EQ(stores.size(), 2u);
  // What one that was killed after these were there would have left.
  for (const auto& file : stores) write_file(partial_path(file), "half");
  const Outcome next = done(prepare(store));
  EXPECT_FALSE(holds(next.err, "tokenised ")) << next.err;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(store), {}), 2);
}

TEST(Prepare, NeedsAConfigurationAndAStore) {
  expect_message(run({"prepare"}), 2, {"no configuration is named", "add --config FILE"});
  expect_message(prepare("\"\""), 2, {"there is no token store to prepare", "data.store=DIR"});
}

}  // namespace rubric::cli::prepare_test
