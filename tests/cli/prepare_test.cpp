// `prepare`: the token store of a configuration, and where it is.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace rubric {
namespace {

std::vector<std::string> command(const std::string& store) {
  return {"prepare",
          "--config",
          "sample_lerc_ood_drop.yaml",
          "--set",
          "model.name=" + std::string(RUBRIC_FIXTURES) + "/lerc",
          "--set",
          "data.store=" + store};
}

Outcome prepare(const std::string& store) {
  return run(command(store));
}

TEST(Prepare, FillsTheStoreAndSaysWhereItIs) {
  const TemporaryFolder folder;
  const std::string store = folder.file("store");
  const Outcome first = prepare(store);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, "token store: " + store + "\n");
  expect_contains(first.err, "tokenised ");
  expect_contains(first.err, "train: ");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(store), {}), 2);
  const Outcome again = prepare(store);
  EXPECT_EQ(again.out, first.out);
  EXPECT_FALSE(holds(again.err, "tokenised ")) << again.err;
}

// As a launcher starts it, or several jobs.
TEST(Prepare, ManyMayFillOneStoreAtOnce) {
  const TemporaryFolder folder;
  const std::string store = folder.file("store");
  std::vector<std::unique_ptr<Process>> ranks;
  for (int rank = 0; rank < 6; ++rank) {
    const Environment environment = {{"RANK", std::to_string(rank)}, {"WORLD_SIZE", "6"}};
    ranks.push_back(std::make_unique<Process>(command(store), environment));
  }
  for (const auto& rank : ranks) {
    const Outcome outcome = rank->wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "token store: " + store + "\n");
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(store), {}), 2);
  const Outcome again = prepare(store);  // reads what they left
  EXPECT_EQ(again.code, 0);
  EXPECT_FALSE(holds(again.err, "tokenised ")) << again.err;
}

TEST(Prepare, NeedsAConfigurationAndAStore) {
  expect_message(run({"prepare"}), 2, {"no configuration is named", "add --config FILE"});
  expect_message(prepare("\"\""), 2, {"there is no token store to prepare", "data.store=DIR"});
}

}  // namespace
}  // namespace rubric
