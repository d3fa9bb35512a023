// The published data sets of rationales by their names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric {

struct RationaleSource {
  std::string kind;                    // one of rationale_kinds()
  std::vector<std::string> files;      // of one split
  std::vector<std::string> questions;  // CommonsenseQA's files: of cose alone
  int64_t explanation = 1;             // which: of esnli alone
};

// ecqa, cose, las, quartz, esnli
const std::vector<std::string>& rationale_kinds();

// The examples of all files, one file behind the other. CoS-E's without `questions` are ids and
// rationales alone. Throws InputError when there is no example.
RationaleSet read_rationale_source(const RationaleSource& source);

}  // namespace rubric
