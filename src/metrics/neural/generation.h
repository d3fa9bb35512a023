// Generating texts for the rows of a file, or choosing among texts that the rows hold, on one
// process or on several that share the work.
#pragma once

#include "data/source_targets/generate_request.h"
#include "distributed/ranks.h"

namespace rubric::metrics {

// Adds a field to every row of the input: the text that the model writes for its source, or the
// most probable of its candidates, with their mean log-probabilities as "<field>_likelihoods".
// Writes rows as they are done, on rank 0, and resumes what an earlier call left. Collective.
// Throws InputError before anything is written: for values that contradict each other, a row that
// already has the field or cannot be read, and for an unfinished output of another request;
// Interrupted when a stop is requested.
void generate_rows(const distributed::Ranks& ranks, const data::GenerateRequest& request);

}  // namespace rubric::metrics
