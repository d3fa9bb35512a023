// What `derive rationales` and `describe` of data sets of rationales ask for alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "data/rationales/readers.h"

namespace rubric::cli {

// --questions, --explanation, --sample, --rest and --seed; --rest is told as `rest_help`, its
// value called `rest_value`.
void add_rationale_options(CommandSyntax& syntax, const char* rest_value, const char* rest_help);

// The names of these options.
const std::vector<std::string>& rationale_options();

// Whether an option was given, not left at its default.
bool is_given(const OptionValues& values, const std::string& option);

// What to read. Throws InputError for an option of another kind of data set.
data::RationaleSource rationale_source(const OptionValues& values, const std::string& kind,
                                       const std::vector<std::string>& files);

struct SampleOptions {
  double share = 0;  // 0: all is taken
  std::string rest;  // what --rest names; "": nothing
  uint64_t seed = 0;
};

// Throws InputError for a share outside (0, 1), and for --rest and --seed without --sample.
SampleOptions sample_options(const OptionValues& values);

}  // namespace rubric::cli
