// Training, on one process or on several that share the work.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "data/records.h"
#include "distributed/ranks.h"
#include "rubric/agreement.h"
#include "rubric/training.h"

namespace rubric::train {

// As train_model(), in the caller's context. Collective: every rank calls it with the same request.
// Throws as that does.
TrainResult train_on(const distributed::Ranks& ranks, const TrainRequest& request);

// The resolved configuration, and the data sizes as a comment below it. Writes nothing. Throws
// InputError as train_model() does.
std::string describe_run(const TrainRequest& request);

// The test of a difference: whether two scores of the same rows correlate differently with the
// labels.
struct DifferenceTest {
  AgreementTest test;
  std::optional<double> p;  // two-sided; nullopt where it is undefined, as with three rows
  size_t rows;
};

// By the test that `evaluate agreement` takes: permutation by question where rows share questions,
// else Williams'. The rows have chosen the best validation and the highest baseline, so p of a gain
// is too small.
DifferenceTest test_difference(std::span<const Answer> rows, const std::vector<double>& scores,
                               const std::vector<double>& baseline);

// Whether the dev value `run` of the best model is better than the highest one of the baselines, as
// a sentence; "" where the model is the start (`is_start`) and no baseline is higher, and for a
// gain without a test. A difference with p above 0.05 may be chance, whichever is higher:
//
//   "The gain over recall, 0.0480, has p 0.210 (Williams' test, 84 dev rows): it may be chance."
//   "f1 is higher on the dev rows by 0.0573, with p 0.850 (Williams' test): 10 dev rows cannot tell
//   which of the two is better, more dev rows can."
//
// `test` is that of the difference; nullopt where the dev values are not correlations over all
// rows.
std::string comparison_note(std::optional<double> run, const DevValue& highest,
                            const std::optional<DifferenceTest>& test, bool is_start = false);

}  // namespace rubric::train
