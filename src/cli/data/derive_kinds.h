// The kinds of `derive`, one function each, with options already checked.
#pragma once

#include <string>

#include "cli/shared/options.h"

namespace rubric::cli {

// Prediction files for `evaluate r4c`.
void derive_core(const OptionValues& values, const std::string& output);
void derive_ie(const OptionValues& values, const std::string& output);
void derive_from_text(const OptionValues& values, const std::string& output);

// Source-target rows.
void derive_pairs(const OptionValues& values, const std::string& output);

// Rationale rows.
void derive_rationales(const OptionValues& values, const std::string& output);
// Pairs of label and rationale that task models generated.
void derive_outputs(const OptionValues& values, const std::string& output);
// Rationale rows with their vacuous rationales, and the input rows of a model that converts
// questions.
void derive_baselines(const OptionValues& values, const std::string& output);
void derive_conversions(const OptionValues& values, const std::string& output);

// --input-format for a file of rows; InputError for a data set's own format.
data::InputFormat row_format_option(const OptionValues& values, const std::string& file);

}  // namespace rubric::cli
