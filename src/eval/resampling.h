// Rows that are no independent observations.
#pragma once

#include <string>
#include <vector>

#include "data/scored_files/scored_rows.h"
#include "stats/bootstrap.h"

namespace rubric {

// What says which question a row is about.
using QuestionKey = std::vector<std::string>;
QuestionKey question_of(const ScoredRows& rows, size_t row);

// Whether any row has a "question".
bool names_questions(const ScoredRows& rows);

// The rows of one passage and question together. Of rows without a question those of one record
// (key_of), where they name their systems; else each by itself.
Clusters questions_of(const ScoredRows& rows);

}  // namespace rubric
