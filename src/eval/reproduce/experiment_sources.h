// What the finished steps of an experiment say of their figures: how much was cut, and by what they
// were made.
#pragma once

#include <string>
#include <vector>

#include "eval/reproduce/run.h"
#include "eval/report/table.h"

namespace rubric {

struct ExperimentSources {
  Table scored;                         // step, metric, rows, mean with its 95% interval, texts cut
  Table trained;                        // step, data (rows, tokens, rows cut), updates, best figure
  std::vector<std::string> signatures;  // of scores and of evaluations, each with its step
  std::vector<std::string> versions;    // of what trained
};

// From what the steps left in their folders: `score` its summary, the others results.json.
ExperimentSources experiment_sources(const Plan& plan, const ExperimentOutcome& outcome);

}  // namespace rubric
