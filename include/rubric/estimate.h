// How good systems really are: means of human labels that some answers have, with the help of
// scores that all answers have (prediction-powered inference; docs/estimate.md).
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
  // The field, in either file, of the probability with which a labelled row was drawn; "": labels
  // were drawn alike, in each stratum. If neither this nor `strata` is named and `labels` has the
  // columns "probability" and "stratum" of a sheet of `choose`, these are read.
  std::string probability = {};
  // The field of the stratum within which a row's label was drawn, of all rows or, with
  // probabilities, of those with a label, in either file; "": one stratum.
  std::string strata = {};
  std::optional<Interval> scale = {};  // which labels may not leave
  bool average = false;                // labels of one row; else they are refused
  BootstrapOptions bootstrap = {};
  RowFormat row_format = {};  // of both files
  // In place of `all`: a judge's ledger. Its verdicts on the aspect that `human` names, "C", "H",
  // "I" or "E", are the metric, and systems are the ledger's.
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
  }
};

// Reads rows and labels, and estimates the mean label of each system. Labels belong to the row of
// the same id and, where both files have these fields, constituent, system and group.
//
// docs/results_format.md has the measurements. The mean is what labelling all these answers would
// give: the answers are fixed, the draw of labels is random. A metric's mean of its scores alone is
// on its scale: without error of sampling, and biased as an estimate of the labels' mean. Errors
// that two systems share by question cancel in their difference, whose p is two-sided, with Holm's
// correction (1979) for all pairs of systems in the group. Lambda is the weight of PPI++.
// Correlations are undefined where labels or scores are constant, or the correlation is 1 or -1.
//
// Throws InputError for labels of unknown rows, beside other texts than their answers', outside
// their scale or repeated, a metric that some rows lack, and probabilities that are none or do not
// fit the number of rows. A system has no estimate if it has fewer than ten labels, they are all
// equal, or those of a stratum are of fewer than two questions: a note says so, and why_missing.
// Throws InputError if that leaves fewer than two systems, or none where there is only one.
RUBRIC_PUBLIC Result estimate(const EstimateRequest& request, const Context& context = {});

}  // namespace rubric
