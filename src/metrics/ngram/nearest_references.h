// The order in which a learned metric reads the references of an answer. Each costs a pass of the
// model, and a question may have dozens of names for one answer.
#pragma once

#include <cstddef>
#include <vector>

#include "data/records.h"

namespace rubric::metrics {

// The indices of the references, the nearest to the candidate first: those with the largest share
// of their words in the candidate, among equals those that cover most of the candidate, then in the
// order of the answer. A word is a run of ASCII letters (lower-cased), digits and bytes above 127.
// Of references that are equal once normalised as SQuAD's script does it, the nearest is here.
std::vector<size_t> nearest_references(const data::Answer& answer);

}  // namespace rubric::metrics
