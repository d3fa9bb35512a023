#include "train/settings/train_config.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "config/printer.h"
#include "config/reader.h"
#include "core/files/files.h"
#include "data/tasks/list.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::train::train_config_test {

TEST(TrainConfig, TheReferencePageIsUpToDate) {
  EXPECT_EQ(read_file(fs::path(source_folder()) / "docs" / "configuration.md"), train_config_page())
      << "make it again: build/bin/train --config-reference > docs/configuration.md";
}

TEST(TrainConfig, EveryTaskIsReadByItsNameAndOwnsKeysThatAreThere) {
  const config::FieldValues values = config::config_values(TrainConfig());
  const TemporaryFolder folder;
  for (const data::TaskKind* const task : data::kTasks) {
    const std::string name(task->name);
    const fs::path file = folder.write("config.yaml", "task: " + name + "\n");
    const auto config = config::read_config<TrainConfig>(file, {});
    EXPECT_EQ(config.task, name);
    EXPECT_EQ(data_sources(config).empty(), task->reads_questions) << name;  // none is named
    for (const std::string_view own : task->own_keys) {  // a key, or a group of keys
      EXPECT_TRUE(std::ranges::any_of(values, [&](const auto& value) {
        const std::string& key = value.first;
        return key == own || key.starts_with(std::string(own) + ".");
      })) << own;
    }
  }
}

// 0 / 0 in the first update of every parameter that has no gradient.
TEST(TrainConfig, AnEpsilonOfZeroIsRefused) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("config.yaml", "optimizer: {epsilon: 0}\n");
  expect_contains(input_error([&] { config::read_config<TrainConfig>(file, {}); }),
                  "optimizer.epsilon: expected a number (from 1.0e-12 to 1)");
}

// The configurations read $RUBRIC_DATA, which other tests read too: set, and set back.
class WithData {
 public:
  WithData() { setenv("RUBRIC_DATA", "somewhere", 1); }
  ~WithData() {
    before_.empty() ? unsetenv("RUBRIC_DATA") : setenv("RUBRIC_DATA", before_.c_str(), 1);
  }

 private:
  std::string before_ = environment("RUBRIC_DATA");
};

TEST(TrainConfig, EveryShippedConfigurationReadsAndPrintsBackTheSame) {
  const WithData with_data;
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(source_folder()) / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string text =
        config::print_config(config::read_config<TrainConfig>(entry.path(), {}));
    const fs::path copy =
        fs::path(testing::TempDir()) / ("copy" + std::to_string(getpid()) + ".yaml");
    write_file(copy, text);
    EXPECT_EQ(config::print_config(config::read_config<TrainConfig>(copy, {})), text)
        << entry.path();
    ++files;
  }
  EXPECT_GE(files, 14);
}

TEST(TrainConfig, ThePapersSetUpOutOfDataset) {
  const WithData with_data;
  for (const char* name : {"narrativeqa", "mcscript", "cosmosqa", "socialiqa", "drop", "quoref"}) {
    const auto config = config::read_config<TrainConfig>(
        fs::path(source_folder()) / "configs" / ("lerc_ood_" + std::string(name) + ".yaml"), {});
    EXPECT_EQ(config.data.hold_out, std::vector<std::string>{name});
    EXPECT_EQ(config.data.train, "somewhere/mocha/train.json");
    EXPECT_EQ(config.model.name, "bert-base-uncased");
    EXPECT_EQ(config.batches.size, 32);
    EXPECT_EQ(config.run.epochs, 3);
    EXPECT_EQ(config.optimizer.warmup_steps, 0);
    EXPECT_EQ(config.data.max_length, 512);
  }
}

}  // namespace rubric::train::train_config_test
