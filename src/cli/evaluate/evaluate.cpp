// rubric evaluate SUITE: compares metrics with human judgements.
#include <iomanip>
#include <iostream>

#include "cli/shared/commands.h"
#include "cli/evaluate/suites.h"
#include "core/error.h"
#include "core/version.h"

namespace rubric {
namespace {

struct Suite {
  const char* name;
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments);
};

constexpr int kLongestName = 10;

// Every suite: a new one is a line here.
constexpr Suite kSuites[] = {
    {"mocha", "correlation with MOCHA's judgements of answers, accuracy on minimal pairs",
     run_evaluate_mocha},
    {"agreement", "which of several metrics agrees best with human labels, on your own rows",
     run_evaluate_agreement},
    {"r4c", "derivations against reference derivations, as R4C aligns them", run_evaluate_r4c},
    {"rev", "kinds of free-text rationales compared by REV, LAS and RQ", run_evaluate_rev},
    {"chie", "systems by the four aspects of CHIE, from a judge's ledger", run_evaluate_chie},
    {"preference", "which of two answers a judge prefers, and whether their order matters",
     run_evaluate_preference},
    {"gaps", "the rows on which a metric errs most, for error analysis, and its tally",
     run_evaluate_gaps},
};

}  // namespace

int run_evaluate(const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const Suite& suite : kSuites) names.emplace_back(suite.name);
  if (arguments.empty()) {
    throw InputError("no suite is named", "rubric evaluate", "name one of " + join(names));
  }
  if (arguments[0] == "--version") {
    std::cout << "rubric " << kVersion << "\n";
    return kDone;
  }
  if (arguments[0] == "--help") {
    std::cout << "usage: rubric evaluate SUITE [options]; rubric evaluate SUITE --help explains "
                 "each\n\n";
    for (const Suite& suite : kSuites) {
      std::cout << "  " << std::left << std::setw(kLongestName) << suite.name << "  "
                << suite.summary << "\n";
    }
    return kDone;
  }
  for (const Suite& suite : kSuites) {
    if (arguments[0] == suite.name) return suite.run({arguments.begin() + 1, arguments.end()});
  }
  throw unknown_name("suite", arguments[0], names);
}

}  // namespace rubric
