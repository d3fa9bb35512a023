// The instances of a MOCHA file by constituent, as series of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/scored_files/predictions.h"
#include "data/records.h"
#include "eval/groups.h"

namespace rubric {

// What each record was given, in their order; nothing: missing.
using Given = std::vector<std::optional<double>>;

// Whether a constituent is among those named; all are when none is.
bool is_chosen(const std::set<std::string>& constituents, const std::string& name);

struct Series {
  std::vector<double> human, predicted;
  int64_t missing = 0;  // predictions; each counts as 0
};

// Throws InputError for an answer without a human score.
Series series_of(std::span<const Answer> answers, const Given& given,
                 const std::vector<size_t>& members);

std::vector<InstanceKey> keys_of(std::span<const Answer> answers);
std::vector<InstanceKey> keys_of(std::span<const AnswerPair> pairs);

}  // namespace rubric
