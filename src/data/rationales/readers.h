// Examples of published data sets of rationales, and which of them can be used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "data/records.h"

namespace rubric {

// An example as a reader found it.
struct FoundRationale {
  Rationale record;     // label and gold are the same: what annotators explained
  std::string where;    // "file:line"
  std::string problem;  // what keeps it from being used, as far as the reader knows; "": nothing
};

struct RationaleSet {
  std::vector<Rationale> records;        // that can be used, in the order in which they were found
  std::vector<FoundRationale> unusable;  // each with its problem
};

// What is looked at: of CoS-E without its questions only ids and rationales are there.
enum class Checked { whole_records, rationales };

// Parts the examples, of one file or of several that belong together. Unusable is, too, what has
// no id, or one that stood before.
RationaleSet usable_rationales(std::vector<FoundRationale> found,
                               Checked checked = Checked::whole_records);

// "PROBLEM (COUNT): ID, ID, …" for each problem, in the order of the first.
std::vector<std::string> list_problems(const RationaleSet& set);

// For a set with unusable examples: how many, which, and where the first stands. To be thrown.
InputError unusable_error(const RationaleSet& set);

}  // namespace rubric
