// BARTScore (Yuan et al. 2021): how probable a model finds the candidate given the source or the
// reference, and the reference given the candidate.
#pragma once

#include <filesystem>
#include <memory>

#include "data/records.h"
#include "distributed/ranks.h"
#include "metrics/metric.h"

namespace rubric {

// The metric `bartscore`, mean natural log-probabilities of tokens: bartscore_p is
// reference → candidate, bartscore_r candidate → reference, bartscore their mean (section 3.2's F),
// and bartscore_s passage → candidate where every record has a passage. With several references the
// one with the highest mean of both counts. `ranks` share the work, and all
// call score(). Throws InputError as PairScorer does, and for a record without a reference or with
// an empty text.
std::unique_ptr<Metric<Answer>> make_bartscore(const std::filesystem::path& model_directory,
                                               bool show_progress,
                                               const Ranks& ranks = kOneProcess);

}  // namespace rubric
