// `evaluate coverage`: how often intervals of `estimate` hold the truth, over many draws of labels
// from answers all of which have one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/estimate/estimate.h"
#include "eval/report/report.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

struct CoverageOptions {
  std::vector<int64_t> sizes = {50, 100, 200, 500};  // labels of each system; 10 or more
  int64_t draws = 2000;
  stats::BootstrapOptions bootstrap;
};

// Of labels alone, or with a predictor.
struct CoverageOf {
  std::string predictor;  // "": labels alone
  double held = 0;        // the share of draws whose interval, by Student's t, holds the truth
  double bootstrap_held = 0;
  double width = 0;  // the mean
  // To that of labels alone; nullopt where this is 0, as all labels of each draw are equal.
  std::optional<double> relative_width = 1;
  // What it is in theory: the root of 1 - R^2 of labels and predictor over all answers.
  double theory = 1;
};

struct CoverageOfSize {
  int64_t labels = 0;
  std::vector<CoverageOf> of;  // labels alone, metrics, their combination, the two made up
};

struct CoverageOfSystem {
  std::string name;  // "all": no systems are named
  int64_t n = 0;
  double truth = 0;                   // the mean label
  std::vector<CoverageOfSize> sizes;  // those below n
};

struct CoverageResult {
  std::string human, signature;
  CoverageOptions options;
  std::vector<CoverageOfSystem> systems;
};

// Draws answers at random, alike. Beside the metrics and their combination two predictors are made
// up: "constant", and "adversarial", noise with Cauchy's heavy tails, on whose outliers a slope
// could rest. Throws InputError for answers without a label and for systems with no more answers
// than the least size.
CoverageResult evaluate_coverage(const LabelledAnswers& answers, const std::string& human,
                                 const CoverageOptions& options);

// JSON: {"human", "draws", "systems": {NAME: {"n", "truth", "labels": {SIZE: {"labels_alone":
// {"coverage", "bootstrap_coverage", "width"}, "with": {PREDICTOR: {…, "relative_width",
// "theory"}}}}}}, "signature"}.
SuiteOutput coverage_output(const CoverageResult& result);

}  // namespace rubric::eval
