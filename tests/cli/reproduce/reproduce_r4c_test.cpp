// R4C's tables on the published data.
#include <cstdlib>

#include <gtest/gtest.h>

#include "cli/reproduce/cells.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli::reproduce_r4c_test {

struct ReproduceR4c : testing::Test {
  void SetUp() override {
    if (std::getenv("RUBRIC_DATA") == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  }
  // The table as JSON, made in a folder of its own.
  std::map<std::string, MeasuredCell> cells(const std::string& name) const {
    std::string text = read_file(std::string(source_folder()) + "/experiments/r4c/" + name);
    const std::string output = "output: runs/r4c";
    text.replace(text.find(output), output.size(), "output: " + folder_.file("runs"));
    const Outcome outcome =
        run({"reproduce", folder_.write(name, text).string(), "--format", "json"});
    return cells_of(Json::parse(outcome.out, outcome.err));
  }

  TemporaryFolder folder_;
};

TEST_F(ReproduceR4c, TableOneIsReproduced) {
  const auto table = cells("table_1.yaml");
  EXPECT_EQ(table.size(), 15u);
  for (const auto& [cell, found] : table) EXPECT_EQ(found.verdict, "reproduced") << cell;
}

// The rest wants HotpotQA's file, and the annotators' derivations.
TEST_F(ReproduceR4c, TablesTwoAndThreeMeasureCore) {
  for (const auto& [name, measured] : {std::pair("table_2.yaml", 27u), {"table_3.yaml", 9u}}) {
    size_t found = 0;
    for (const auto& [cell, result] : cells(name)) {
      const bool is_core = cell.starts_with("CORE");
      EXPECT_EQ(result.mean.has_value(), is_core) << name;
      found += is_core ? 1 : 0;
    }
    EXPECT_EQ(found, measured) << name;
  }
}

}  // namespace rubric::cli::reproduce_r4c_test
