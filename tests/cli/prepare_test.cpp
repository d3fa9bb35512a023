// `prepare`: the token store of a configuration, and where it is.
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace rubric {
namespace {

Outcome prepare(const std::string& store) {
  return run({"prepare", "--config", "sample_lerc_ood_drop.yaml", "--set",
              "model.name=" + std::string(RUBRIC_FIXTURES) + "/lerc", "--set",
              "data.store=" + store});
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

TEST(Prepare, NeedsAConfigurationAndAStore) {
  expect_message(run({"prepare"}), 2, {"no configuration is named", "add --config FILE"});
  expect_message(prepare("\"\""), 2, {"there is no token store to prepare", "data.store=DIR"});
}

}  // namespace
}  // namespace rubric
