// `score` on files of one test's own.
#pragma once

#include <string>
#include <vector>

#include "cli/run_program.h"

namespace rubric {

struct ScoreCommand : testing::Test {
  Outcome score(const std::string& metrics, const std::string& input,
                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"score",    metrics, "--input", folder_.file(input),
                                          "--output", output()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  std::string output() const { return folder_.file("scored.out"); }

  TemporaryFolder folder_;
};

}  // namespace rubric
