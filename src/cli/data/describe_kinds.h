// What `describe` is asked for, and its parts in files of their own.
#pragma once

#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "core/json/json.h"

namespace rubric {

struct Description {
  std::string format;              // of the data
  std::vector<std::string> files;  // as they were named
  const OptionValues& values;
  OutputFormat output;
};

// The files' names without folder and ending: what their splits are called. Throws InputError when
// two are the same.
std::vector<std::string> split_names_of(const std::vector<std::string>& files);

// JSON, a figure a row for CSV, or tables.
void print_description(const Json& json, const Table& figures, const std::vector<Table>& tables,
                       OutputFormat format);

// Published data sets of rationales; and rows of them, whatever made these.
void describe_rationale_source(const Description& description);
void describe_rationale_rows(const Description& description);

}  // namespace rubric
