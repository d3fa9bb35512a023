// How many labels it takes: from a pilot of some labelled answers (docs/estimate.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/estimate.h"
#include "rubric/export.h"
#include "rubric/output.h"

namespace rubric {

struct PlanRequest {
  EstimateRequest pilot;  // `bootstrap` and `group` are not used
  // A true difference that is to be found with a power of 80%, by a two-sided test at 5%: of two
  // systems' means, or of two metrics' correlations with the label. Above 0.
  std::optional<double> difference = {};
  // The widest half of a 95% interval: of each mean, difference and correlation. Above 0.
  std::optional<double> width = {};
  int64_t population = 0;  // questions of which labels will be drawn; 0: those of the pilot's file
  int64_t simulations = 1000;  // for each size that is tried; 10 to 100,000
  uint64_t seed = 0;
};

enum class PlannedKind { mean, difference, correlation, correlation_difference };

// Labelled questions. nullopt: undefined, and by simulation above 50,000.
struct PlannedQuestions {
  std::optional<int64_t> by_formula, by_simulation;
};

struct PlannedLabels {
  PlannedKind kind = PlannedKind::mean;
  std::string first, second;       // systems or, of correlations, metrics; second: of differences
  bool finds_difference = false;   // else the width is aimed at
  double labels_per_question = 1;  // that these systems have on average
  PlannedQuestions labels_alone;
  std::vector<PlannedQuestions> with = {};  // by predictor; of a correlation: with its metric
};

struct PlanResult {
  std::string human;
  std::vector<std::string> predictors;  // the metrics and, of several, their "combination"
  std::optional<double> difference, width;
  int64_t population = 0;  // questions of which labels are drawn; 0: those that are answered
  std::vector<PlannedLabels> planned;
  std::string signature;
  std::vector<std::string> notes, warnings;
};

// Throws InputError as estimate() does, where neither difference nor width is given, and for a
// difference where one system and one metric leave none to find. A difference of means is at most
// the range of labels (or of their scale), one of correlations 2, a width that range or 1.
RUBRIC_PUBLIC PlanResult plan(const PlanRequest& request, const Context& context = {});

RUBRIC_PUBLIC std::string print(const PlanResult& result, OutputFormat format);

}  // namespace rubric
