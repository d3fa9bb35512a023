// For the MOCHA suite: the annotators' agreement (Krippendorff's alpha), and tests of whether
// metrics differ.
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

// Agreement of the annotators' own judgements of one constituent's instances (metadata.scores).
struct AnnotatorAgreement {
  std::string constituent;
  std::optional<double> alpha;  // Krippendorff's, interval scale; nothing if undefined
  int64_t n = 0;                // instances with at least two judgements
};

struct MochaTests {
  std::vector<std::string> metrics;
  std::vector<AnnotatorAgreement> annotators;  // for constituents with such judgements
  // Every two metrics in each constituent, Holm-corrected over all constituents: Williams' test of
  // Pearson's r (a missing prediction counts as 0), and, among metrics that scored the minimal
  // pairs, McNemar's exact test of the pairs ordered correctly (a tie or a missing prediction is
  // wrong).
  std::vector<MetricTest> correlations, pairs;
};

// For the constituents named, or for all when none is.
MochaTests test_mocha(std::span<const data::Answer> answers,
                      std::span<const data::AnswerPair> pairs,
                      std::span<const MochaPredictions> metrics,
                      const std::set<std::string>& constituents);

// Tables to read: alpha by constituent; for each test a row for each constituent, with "best" for
// the best metric and for the others the corrected p of their difference from it. Empty tables are
// left out.
std::vector<Table> mocha_test_tables(const MochaTests& tests, std::span<const MochaResult> results);

// {"annotators": {CONSTITUENT: {"alpha", "n"}}, "tests": {"pearson": [{"constituent", "first",
// "second", "difference", "statistic", "p", "p_holm"}], "minimal_pairs": […]}}.
Json to_json(const MochaTests& tests);

// Adds rows to the table of mocha_value_table(): "krippendorff_alpha" for the metric "human";
// "pearson_difference" and "minimal_pairs_difference", with the columns other (the second metric),
// p and p_holm.
void add_test_values(const MochaTests& tests, Table& statistics);

}  // namespace rubric::eval
