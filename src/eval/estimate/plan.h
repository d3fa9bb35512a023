// `plan`: how many labels it takes, from a pilot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/estimate/estimate.h"
#include "rubric/plan.h"
#include "rubric/result.h"

namespace rubric::eval {

using rubric::PlanRequest;

enum class PlannedKind { mean, difference, correlation, correlation_difference };

struct PlannedLabels {
  PlannedKind kind = PlannedKind::mean;
  std::string first, second;       // systems or, of correlations, metrics; second: of differences
  bool finds_difference = false;   // else the width is aimed at
  double labels_per_question = 1;  // that these systems have on average
  // From labels alone, then with each predictor (of a correlation, with its metric): how many
  // labelled questions; nullopt: undefined.
  std::vector<std::optional<int64_t>> questions = {};
};

struct LabelPlan {
  std::string human;
  std::vector<std::string> predictors;  // the metrics and, of several, their "combination"
  std::optional<double> difference, width;
  double answers_per_question = 1;  // in the file of all answers, of all systems
  int64_t population = 0;  // questions of which labels are drawn; 0: those that are answered
  std::vector<PlannedLabels> planned;
  std::vector<std::string> notes, warnings;
};

// Throws InputError as estimate() does, and where there is no difference to find.
LabelPlan plan(const LabelledAnswers& answers, const PlanRequest& request);

// The measurements of include/rubric/plan.h, with a table for each aim. The first note says for
// each aim how many questions it takes with the source that takes least, and with labels alone.
Result plan_result(const LabelPlan& plan);

}  // namespace rubric::eval
