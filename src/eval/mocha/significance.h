// Beside the figures of the MOCHA suite: how far its annotators agree, and whether metrics differ.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/agreement/metric_tests.h"
#include "eval/mocha/suite.h"
#include "eval/report/table.h"

namespace rubric::eval {

// Of the annotators' own judgements of one constituent's instances (metadata.scores).
struct AnnotatorAgreement {
  std::string constituent;
  std::optional<double> alpha;  // Krippendorff's, interval; nothing where undefined
  int64_t n = 0;                // instances with two judgements or more
};

struct MochaTests {
  std::vector<std::string> metrics;
  std::vector<AnnotatorAgreement> annotators;  // of the constituents that have such judgements
  // Every two metrics in each constituent, Holm-corrected over all constituents: Williams' test of
  // Pearson's r (a missing prediction counts as 0), and McNemar's exact test of the pairs each
  // orders rightly (a tie or a missing prediction is not right) among metrics that scored them.
  std::vector<MetricTest> correlations, pairs;
};

// Of the constituents named, or of all when none is.
MochaTests test_mocha(std::span<const data::Answer> answers,
                      std::span<const data::AnswerPair> pairs,
                      std::span<const MochaPredictions> metrics,
                      const std::set<std::string>& constituents);

// To be read: alpha by constituent; for each test a row for each constituent, with "best" for the
// metric with the highest figure and for the others the corrected p of their difference to it.
// Without those that hold nothing.
std::vector<Table> mocha_test_tables(const MochaTests& tests, std::span<const MochaResult> results);

// {"annotators": {CONSTITUENT: {"alpha", "n"}}, "tests": {"pearson": [{"constituent", "first",
// "second", "difference", "statistic", "p", "p_holm"}], "minimal_pairs": […]}}.
Json to_json(const MochaTests& tests);

// Adds to the table of mocha_value_table(): "krippendorff_alpha" of the metric "human";
// "pearson_difference" and "minimal_pairs_difference", with the columns other (the second metric),
// p and p_holm.
void add_test_values(const MochaTests& tests, Table& figures);

}  // namespace rubric::eval
