// Python's lists of texts as answers.
#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include "rubric/records.h"

namespace rubric::python {

// One answer for each candidate: a list of texts, with references a list of texts or of lists of
// texts, passages and questions lists of texts or None. The lists have equal lengths. Raises
// rubric.InputError naming row and field for what is no text. The id of an answer is its row,
// counted from 0.
std::vector<Answer> answers_of(const nanobind::list& candidates, const nanobind::list& references,
                               const nanobind::object& passages, const nanobind::object& questions);

}  // namespace rubric::python
