// The suites of `evaluate`, by name.
#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace rubric::cli::evaluate_test {

TEST(Evaluate, NamesItsSuites) {
  expect_message(run({"evaluate"}), 2, {"no suite is named", "name one of mocha"});
  expect_message(run({"evaluate", "moca"}), 2, {"\"moca\"", "did you mean mocha?"});
  const Outcome help = done(run({"evaluate", "--help"}));
  expect_contains(help.out, "\n  mocha  ");
}

}  // namespace rubric::cli::evaluate_test
