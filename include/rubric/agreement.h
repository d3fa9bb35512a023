// Which of several metrics agrees best with human labels, on any scored rows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/judge_choice.h"
#include "rubric/missing.h"
#include "rubric/result.h"
#include "rubric/row_format.h"
#include "rubric/statistics.h"

namespace rubric {

// `automatic`: permutation if rows share questions, else Williams', which takes rows as
// independent.
enum class AgreementTest { automatic, williams, permutation };

struct AgreementOptions {
  BootstrapOptions bootstrap;
  // A permutation test of at most 20 questions uses all permutations. Of more questions it draws
  // `bootstrap.resamples` permutations. If these are at least the default, it draws at least 1,000
  // for each test of the table, up to 200,000.
  AgreementTest test = AgreementTest::automatic;
};

struct AgreementRequest {
  std::filesystem::path input;  // rows with scores, as score_file() writes them, or a table
  // Other labelled rows with scores of the same metrics. They choose the thresholds of accuracy and
  // F1, and the logistic curve. "": each half of the input's questions chooses for the other.
  std::filesystem::path dev;
  RowFormat row_format;                  // of both
  std::string human = "score";           // the field of the human label
  std::string group, system;             // fields to report by; "": none
  std::vector<std::string> metrics;      // empty: all
  Missing missing = Missing::automatic;  // rows without a label or a score: an error, or drop
  AgreementOptions options;
  // A judge's ledger. Its verdicts on the rows are the metrics JUDGE:C, JUDGE:H, JUDGE:I, JUDGE:E.
  // "": none.
  std::filesystem::path ledger = {};
  JudgeChoice judge = {};
  bool resampled = false;  // Pearson's r has its value in each bootstrap resample

  void visit_fields(auto& field) {
    field("input", input, "the scored rows").input().short_as('i').required();
    field("dev", dev,
          "other rows with labels and the same scores, on which the thresholds are chosen")
        .input();
    field("human", human, "the field of the human label").named("FIELD");
    field("metric", metrics, "a metric, or several: a,b; may be repeated; all when left out")
        .names();
    field("group", group,
          "a field, such as dataset: also prints results for the rows of each of its values (in "
          "tables of the first 50)")
        .named("FIELD");
    field("system", system,
          "the field that names the system which gave the row's answer: also compares the systems' "
          "means")
        .named("FIELD");
    field("test", options.test,
          "between two metrics: williams, which takes rows as independent, or permutation (paired, "
          "by question); auto: permutation where rows share questions")
        .choices({"auto", "williams", "permutation"});
    field("resampled", resampled, "with --format json: also Pearson's r of each resample")
        .only_in_json();
    row_format.visit_fields(field);
    field("ledger", ledger, "the judge's replies").input();
    judge.visit_fields(field);
    visit_missing(field, missing);
    options.bootstrap.visit_fields(field, kPermutationHelp);
  }
};

// Reads the rows and compares the metrics. docs/results_format.md has the measurements. Intervals
// resample questions.
//
// Pairwise accuracy is acc_eq with tie calibration of Deutsch, Foster and Freitag (2023). If most
// rows share questions, pairs are within questions. Pairwise accuracy of systems is that of Kocmi
// et al. (2021). The greater of two labels is positive. Calibration is that of a logistic curve
// (Platt 1999). Holm's correction is over all rows and all groups; the unseen questions have
// another.
//
// Throws InputError naming file, row and field. The dev rows must not be those of the input. They
// must have two labels, the input's. Throws Interrupted when the context's token is cancelled.
RUBRIC_PUBLIC Result evaluate_agreement(const AgreementRequest& request,
                                        const Context& context = {});

}  // namespace rubric
