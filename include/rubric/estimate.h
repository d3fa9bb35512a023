// The mean human label of each system, from labels of some answers and metrics' scores of all
// answers (prediction-powered inference; docs/estimate.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
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

struct EstimateRequest {
  std::filesystem::path all;          // scored rows of all answers
  std::filesystem::path labels = {};  // rows with "id" and the label; "": `all` holds the labels
  std::string human = "score";        // the field of the labels; rows without it have none
  std::vector<std::string> metrics = {};  // empty: all
  std::string system = {};                // the field that names a row's system; "": one system
  std::string group = {};                 // a field to report by; "": none
  // The field, in either file, of the probability with which a labelled row was drawn. "": all
  // labels of a stratum were drawn with one probability. If neither this nor `strata` is named, the
  // columns "probability" and "stratum" of a sheet of `choose` are read.
  std::string probability = {};
  // The field, in either file, of the stratum within which a row's label was drawn. All rows have
  // it, with probabilities only those with a label. "": one stratum.
  std::string strata = {};
  std::optional<Interval> scale = {};  // of the labels; others are refused
  bool average = false;                // several labels of one row; else they are refused
  BootstrapOptions bootstrap = {};
  RowFormat row_format = {};  // of both files
  // Answers without a score: an error, or drop, which leaves them and their labels out. An answer
  // without a label is not labelled.
  Missing missing = Missing::automatic;
  // In place of `all`: a judge's ledger with its systems. The metric is its verdicts on the aspect
  // that `human` names: "C", "H", "I" or "E".
  std::filesystem::path ledger = {};
  JudgeChoice judge = {};

  void visit_fields(auto& field) {
    visit_pilot_fields(field);
    field("group", group,
          "a field to report by as well, such as constituent; tables show 50 groups")
        .named("FIELD");
    bootstrap.visit_fields(field);
  }
  void visit_pilot_fields(auto& field) {  // those that `plan` has, too
    field("all", all, "the scored rows of all answers").input();
    field("labels", labels, "rows with id and label; without it the labels are in --all").input();
    field("human", human, "the field of the human label").named("FIELD");
    field("metric", metrics, "the metrics, such as lerc,f1; may be repeated; without it all")
        .names();
    field("system", system, "the field that names the system of a row; else all are of one")
        .named("FIELD");
    field("probability", probability,
          "the field of the probability with which a labelled answer was drawn; without it and "
          "--strata those of a sheet of choose are read")
        .named("FIELD");
    field("strata", strata, "the field of strata: labels were drawn within each of its values")
        .named("FIELD");
    field("scale", scale, "what a label can be, such as 1:5; others are refused");
    field("average", average,
          "several labels of one answer are averaged; without it they are refused");
    field("ledger", ledger, "the judge's replies").input();
    judge.visit_fields(field);
    row_format.visit_fields(field);
    visit_missing(field, missing);
  }
};

// Reads rows and labels, and estimates the mean label of each system. Labels belong to the row of
// the same id and, where both files have these fields, constituent, system and group.
//
// docs/results_format.md has the measurements. The mean is the one that labels of all these answers
// would have: the answers are fixed, the draw of labels is random. The mean of a metric alone is on
// the metric's scale. It has no sampling error, and is biased as an estimate of the labels' mean.
// Errors that two systems share on a question cancel in their difference. Its p is two-sided, with
// Holm's correction (1979) over all pairs of systems in the group. Lambda is the weight of PPI++.
// Correlations are undefined where labels or scores are constant, or the correlation is 1 or -1.
//
// Throws InputError for
// - labels of unknown rows, with other texts than their answers', outside their scale or repeated;
// - a metric that some rows lack;
// - probabilities outside (0, 1], or that do not fit the number of rows.
// A system has no estimate if it has fewer than ten labels, if all its labels are equal, or if the
// labels of a stratum are of fewer than two questions: a note and why_missing say so. Throws
// InputError if that leaves fewer than two of several systems, or not the only one.
RUBRIC_PUBLIC Result estimate(const EstimateRequest& request, const Context& context = {});

}  // namespace rubric
