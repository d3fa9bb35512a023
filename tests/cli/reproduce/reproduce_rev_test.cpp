// REV's tables on the published data.
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "cli/reproduce/cells.h"
#include "cli/run_program.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli::reproduce_rev_test {

const std::string kRevExperiments = std::string(source_folder()) + "/experiments/rev/";

struct ReproduceRev : testing::Test {
  // The table, made in a folder of its own.
  Outcome reproduce(const std::string& name, const std::vector<std::string>& options,
                    const Environment& environment = {}) const {
    const std::string file = folder_.write(
        name, "include: " + kRevExperiments + name + "\noutput: " + folder_.file("runs") + "\n");
    std::vector<std::string> arguments = {"reproduce", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments, environment);
  }

  TemporaryFolder folder_;
};

TEST_F(ReproduceRev, ADryRunSaysWhatIsMissing) {
  for (const char* const name :
       {"table_1.yaml", "table_3.yaml", "table_5.yaml", "figure_2.yaml", "figure_3.yaml"}) {
    const Outcome outcome = reproduce(name, {"--dry-run"}, {{"RUBRIC_DATA", folder_.file("none")}});
    EXPECT_EQ(outcome.code, 0) << name << outcome.err;
    const std::string told = outcome.out + outcome.err;
    expect_contains(told, folder_.file("none") + "/ecqa/cqa_data_train.csv");
    expect_contains(told, "https://github.com/dair-iitd/ECQA-Dataset");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.file("runs")));
}

// CoS-E's counts need its explanations alone, e-SNLI's dev and test no training files.
TEST_F(ReproduceRev, TableThreeMeasuresWhatIsThere) {
  if (std::getenv("RUBRIC_DATA") == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Outcome outcome = reproduce("table_3.yaml", {"--format", "json"});
  const auto verdicts = cells_of(Json::parse(outcome.out, outcome.err));
  EXPECT_EQ(verdicts.size(), 12u);
  for (const char* const measured :
       {"CoS-E/#train", "CoS-E/#dev", "CoS-E/#test", "e-SNLI/#dev", "e-SNLI/#test"}) {
    EXPECT_EQ(verdicts.at(measured).verdict, "reproduced") << measured;
  }
  EXPECT_EQ(verdicts.at("ECQA/#test").verdict, "not run");
}

}  // namespace rubric::cli::reproduce_rev_test
