// The options that `derive rationales` and `describe` share for data sets of rationales.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "data/rationales/readers.h"

namespace rubric::cli {

// Adds --questions, --explanation, --sample, --rest and --seed; `rest_help` is the help of --rest
// and `rest_value` its value's name.
void add_rationale_options(CommandSyntax& syntax, const char* rest_value, const char* rest_help);

// The names of these options.
const std::vector<std::string>& rationale_options();

// Whether an option was given explicitly.
bool is_given(const OptionValues& values, const std::string& option);

// The data set to read. Throws InputError for an option of another kind of data set.
data::RationaleSource rationale_source(const OptionValues& values, const std::string& kind,
                                       const std::vector<std::string>& files);

struct SampleOptions {
  double share = 0;  // 0: everything
  std::string rest;  // the value of --rest; "" if not given
  uint64_t seed = 0;
};

// Throws InputError for a share outside (0, 1), and for --rest or --seed without --sample.
SampleOptions sample_options(const OptionValues& values);

}  // namespace rubric::cli
