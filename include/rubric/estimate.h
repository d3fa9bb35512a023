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
#include "rubric/output.h"
#include "rubric/statistics.h"

namespace rubric {

// Of what labelling all these answers would give: the answers are fixed, the draw of labels is
// random.
struct Estimate {
  double value = 0;
  double standard_error = 0;  // over questions; 0 if all answers have labels
  Interval interval;          // 95%, by Student's t over the labelled questions
  // 95%, by resampling labelled questions; not of correlations. Narrower than the other where
  // labels are few.
  std::optional<Interval> bootstrap = {};
  // Of estimates from labels with a metric. The weight of the metric, as in PPI++, in the label's
  // units for one of the metric's.
  std::optional<double> lambda = {};
  // So many labels alone would give as narrow an interval. Nothing if their error is 0.
  std::optional<double> effective_labels = {};
  // Of differences: two-sided p of none, by Student's t, with Holm's correction (1979) for all
  // pairs of systems in the group.
  std::optional<double> p_holm = {};
};

// Where an estimate is nothing, the system has too few labels in the group, they are all equal, or
// those of a stratum are fewer than two or of one question.
struct SystemEstimates {
  int64_t n = 0, questions = 0;                // answers
  int64_t labels = 0, labelled_questions = 0;  // answers with a label, and questions with one
  std::optional<Estimate> labels_alone;
  // By metric: the mean of its scores of all answers, on its own scale. It has no error of
  // sampling, but as an estimate of the labels' mean it is biased. Nothing without answers.
  std::vector<std::optional<double>> metric_alone;
  std::vector<std::optional<Estimate>> with;  // labels with each of EstimateResult::predictors
};

struct EstimatedDifference {
  size_t first = 0, second = 0;               // systems; values are of the first minus the second
  std::optional<Estimate> labels_alone;       // errors that both share by question cancel
  std::vector<std::optional<Estimate>> with;  // as in SystemEstimates, with one lambda for both
  bool is_exact = false;                      // all answers of both have a label: there is no p
};

// Pearson's correlation of a metric with the label, with intervals by Fisher's z. nullopt where it
// is undefined, or 1 or -1.
struct EstimatedCorrelation {
  std::optional<Estimate> labels_alone;  // over the answers with a label
  std::optional<Estimate> corrected;     // by what the metric's scores of all answers tell
};

struct GroupEstimates {
  std::string name;                                // "": all answers
  std::vector<SystemEstimates> systems;            // by system
  std::vector<EstimatedDifference> differences;    // of every two systems
  std::vector<EstimatedCorrelation> correlations;  // by metric, over the answers of all systems
  std::vector<std::string> notes;                  // on what could not be estimated
};

struct EstimateResult {
  std::string human;                    // the field of the labels
  std::vector<std::string> metrics;     // everything by metric is in this order
  std::vector<std::string> predictors;  // the metrics and, of several, their "combination"
  std::vector<std::string> systems;     // one without name, if no field names them
  std::string signature;
  std::vector<GroupEstimates> groups;  // all answers, then by group if there are any
  std::vector<std::string> notes;      // on labels and metrics; each group has its own besides
  std::vector<std::string> warnings;   // of few labels, and of systems without an estimate
};

struct EstimateRequest {
  std::filesystem::path all;          // scored rows of all answers
  std::filesystem::path labels = {};  // rows with "id" and the label; "": `all` holds the labels
  std::string human;                  // the field of the labels; rows without it have none
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
  std::string input_format = {};                   // "": by each file's name
  std::map<std::string, std::string> fields = {};  // the files' names of an answer's, by ours
  char delimiter = '\0';              // between the columns of a table; '\0': the format's
  std::filesystem::path report = {};  // also written: tables and pictures as one HTML page
  std::string command = {};           // which the page shows; "": none
  // In place of `all`: a judge's ledger. Its verdicts on the aspect that `human` names, "C", "H",
  // "I" or "E", are the metric, and systems are the ledger's.
  std::filesystem::path ledger = {};
  JudgeChoice judge = {};
};

// Reads rows and labels, and estimates the mean label of each system. Labels belong to the row of
// the same id and, where both files have these fields, constituent, system and group. Throws
// InputError for labels of unknown rows, beside other texts than their answers', outside their
// scale or repeated, a metric that some rows lack, and probabilities that are none or do not fit
// the number of rows. A system has no estimate if it has fewer than ten labels, they are all equal,
// or those of a stratum are of fewer than two questions: a warning says so. Throws InputError if
// that leaves fewer than two systems, or none where there is only one.
RUBRIC_PUBLIC EstimateResult estimate(const EstimateRequest& request, const Context& context = {});

// Tables, JSON with all values, or CSV with a value a row. Ends with a newline.
RUBRIC_PUBLIC std::string print(const EstimateResult& result, OutputFormat format);

}  // namespace rubric
