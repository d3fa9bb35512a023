// How good systems really are: means of human labels that some answers have, with the help of
// scores that all answers have (prediction-powered inference; docs/estimate.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
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
// Measurements, with keys system ("": one without name) and group ("": all answers); source: what
// the value is from, "labels" alone, a "metric" alone, or "both"; metric: of these, and of several
// their "combination":
//   mean         that which labelling all these answers would give: the answers are fixed, the draw
//                of labels is random. From labels or both it is there twice: method t has the 95%
//                interval by Student's t over the labelled questions, method bootstrap that of
//                resampled labelled questions, which is narrower where labels are few. From a
//                metric it is the mean of its scores of all answers, on its own scale: without
//                error of sampling, and biased as an estimate of the labels' mean. n: labels, or
//                answers
//   difference   mean of `system` minus mean of `against`, by the same two methods; errors that
//                both share by question cancel. p_holm, of method t: two-sided p of no difference,
//                with Holm's correction (1979) for all pairs of systems in the group; nothing where
//                all answers of both have a label
//   standard_error    of a mean or a difference, over questions; 0 if all answers have labels
//   lambda            of those from both: the weight of the metric, as in PPI++, in the label's
//                     units for one of the metric's; one for both systems of a difference
//   effective_labels  so many labels alone would give as narrow an interval
//   correlation, correlation_standard_error, correlation_effective_labels   Pearson's correlation
//                of a metric with the label over the answers of all systems: from labels, of the
//                answers with one; from both, corrected by the scores of all. Intervals by Fisher's
//                z. Undefined where labels or scores are constant, or it is 1 or -1
//   answers, questions, labels, labelled_questions   of a system
//
// Throws InputError for labels of unknown rows, beside other texts than their answers', outside
// their scale or repeated, a metric that some rows lack, and probabilities that are none or do not
// fit the number of rows. A system has no estimate if it has fewer than ten labels, they are all
// equal, or those of a stratum are of fewer than two questions: a note says so, and why_missing.
// Throws InputError if that leaves fewer than two systems, or none where there is only one.
RUBRIC_PUBLIC Result estimate(const EstimateRequest& request, const Context& context = {});

}  // namespace rubric
