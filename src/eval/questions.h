// Rows that are no independent observations.
#pragma once

#include "data/scored_rows.h"
#include "stats/clusters.h"

namespace rubric {

// The rows of one passage and question together. Of rows without a question those of one record
// (key_of), where they name their systems; else each by itself.
Clusters questions_of(const ScoredRows& rows);

}  // namespace rubric
