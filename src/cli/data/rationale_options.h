// The options that `derive rationales` and `describe` share for data sets of rationales.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "data/rationales/readers.h"

namespace rubric::cli {

// Adds --questions, --explanation, --sample and --seed.
void add_rationale_options(CommandSyntax& syntax);

// The data set to read. Throws InputError for an option of another kind of data set.
data::RationaleSource rationale_source(const OptionValues& values, const std::string& kind,
                                       const std::vector<std::string>& files);

struct SampleOptions {
  double share = 0;  // 0: everything
  std::string rest;  // the value of the option for the rest; "" if not given
  uint64_t seed = 0;
};

// `rest` is the name of the command's option for what is not drawn. Throws InputError for a share
// outside (0, 1), and for --`rest` or --seed without --sample.
SampleOptions sample_options(const OptionValues& values, const std::string& rest);

}  // namespace rubric::cli
