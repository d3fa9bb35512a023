// The statistics of MOCHA's files as tables and JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/answers/mocha_statistics.h"
#include "eval/report/table.h"

namespace rubric {

struct SplitStatistics {
  std::string name;
  std::vector<ConstituentStatistics> constituents;
};

// As Table 2: the mean lengths in the first split, and each split's counts; then, for every split
// with scores, how many candidates have each score, by constituent and by source.
std::vector<Table> description_tables(std::span<const SplitStatistics> splits);

// A figure a row: split, constituent, source ("": all), figure, value.
Table description_figures(std::span<const SplitStatistics> splits);

// {"splits": {NAME: {"constituents": {NAME: {"passages", "questions", "candidates", "unscored",
//  "lengths": {"passage", "question", "reference", "candidate"}, "scores": {"1": n, …, "5": n},
//  "sources": {NAME: {"candidates", "scores"}}}}, "total": {"passages", "questions",
//  "candidates"}}}, "notes": [TEXT]}
Json to_json(std::span<const SplitStatistics> splits);

}  // namespace rubric
