// The rows of a whole document of JSON: an array of objects, an object that has one under a key, or
// one object, which is one row.
#pragma once

#include <string>

#include "core/json/json.h"

namespace rubric::data {

// The rows of a document. Logs of evaluations (Inspect, promptfoo, HELM, DeepEval) are objects with
// rows under a key such as "samples" or "results.results": the list of objects whose first has a
// candidate and a reference by name (complete_names), else a candidate, else those whose objects
// hold such ones under one name ("rows.row"), else the only list. Says which it takes. Objects by
// their ids that have candidates and references are rows. An object that has a candidate, or no
// list of objects, is a row itself. Throws
// InputError for what is no array and no object, for several lists that may hold the rows, and for
// columns, as pandas' to_json() writes them by default. Warns of a log of Inspect whose run failed.
// HELM's "request_states" get a "reference": the texts of instance.references that are tagged
// "correct".
// `may_be_by_key`: lists under no usual names of fields are no columns, {"q1": ["a"], "q2": ["b"]}.
// The only line of a file of JSON lines is a row unless a list in it has candidates (`is_line`).
Json::Array rows_of_document(Json document, const std::string& file, bool may_be_by_key,
                             bool is_line);

}  // namespace rubric::data
