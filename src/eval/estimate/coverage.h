// `evaluate coverage`: how often intervals of `estimate` hold the truth, over many draws of labels
// from answers all of which have one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "eval/estimate/estimate.h"
#include "rubric/context.h"
#include "rubric/judge_choice.h"
#include "rubric/result.h"
#include "rubric/row_format.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

struct CoverageOptions {
  std::vector<int64_t> sizes = {50, 100, 200, 500};  // labels of each system; 10 or more
  int64_t draws = 2000;
  stats::BootstrapOptions bootstrap;
};

// Draws answers at random, alike. Beside the metrics and their combination two predictors are made
// up: "constant", and "adversarial", noise with Cauchy's heavy tails, on whose outliers a slope
// could rest.
//
// Of each system "truth", the mean label, with the number of its answers. Of each number of labels
// below it, the subset "50 labels", and predictor, the metric (none: labels alone): "coverage", the
// share of draws whose interval holds the truth, by method "t" and "bootstrap"; of Student's
// intervals the mean "width", "relative_width", to that of labels alone, and what this is in
// "theory", the root of 1 - R^2 of labels and predictor over all answers.
//
// Throws InputError for answers without a label, for systems with no more answers than the least
// size, and for a metric of such a predictor's name.
Result evaluate_coverage(const LabelledAnswers& answers, const std::string& human,
                         const CoverageOptions& options);

struct CoverageRequest {
  std::filesystem::path input;  // scored rows, all with a label; or two ledgers
  std::string human = "score";
  std::vector<std::string> metrics = {};  // empty: all
  std::string system = {};                // the field that names a row's system; "": one system
  // In place of `input`: a judge's ledger, and that of the judge who stands for people.
  std::filesystem::path ledger = {};
  std::vector<std::filesystem::path> other_ledgers = {};
  JudgeChoice judge = {};
  CoverageOptions options = {.bootstrap = {.resamples = 1000}};
  RowFormat row_format = {};

  void visit_fields(auto& field) {
    field("input", input, "the scored rows, all with a label").input().short_as('i');
    field("human", human, "the field of the human label").named("FIELD");
    field("metric", metrics, "the metrics, such as lerc,f1; may be repeated; without it all")
        .names();
    field("system", system, "the field that names the system of a row; else all are of one")
        .named("FIELD");
    field("sizes", options.sizes,
          "how many labels are drawn of each system, 50,100,200,500 without it; sizes of all its "
          "answers or more are left out")
        .range(kFewestLabels, 1'000'000)
        .names();
    field("draws", options.draws, "of each size").range(10, 1'000'000);
    options.bootstrap.visit_fields(field);
    field("ledger", ledger, "the judge's replies").input();
    judge.visit_fields(field);
    field("other-ledger", other_ledgers, "the ledger of the judge who stands for people")
        .input()
        .names();
    row_format.visit_fields(field);
  }
};

// Reads the answers and evaluates. Throws InputError as evaluate_coverage() does, and for other
// than one input or two ledgers.
Result evaluate_coverage_files(const CoverageRequest& request, const Context& context = {});

}  // namespace rubric::eval
