// The samples that lm-evaluation-harness logs (--log_samples) of tasks that generate text: rows
// with "doc_id", "doc", "target", "filtered_resps" and "filter", whose texts are found by usual
// names.
#pragma once

#include <string>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric::data {

// Whether a row is such a sample.
bool is_lm_eval_sample(const Json& row);

// A sample is logged once for each filter, and tasks number their samples from 0: "gsm8k/strict" of
// the row's "task", if it has one, and "filter".
std::string sample_constituent(const Json& row);

// Adds "id", of "doc_id", and "constituent", of sample_constituent(), to a sample that lacks them.
void add_sample_key(Json& row, const FieldNames& names);

// Throws InputError for the aggregate results of lm-evaluation-harness, results_*.json: an object
// "results" with the values of each task beside "configs" or "versions", and no samples.
void refuse_lm_eval_results(const Json& document, const std::string& file);

}  // namespace rubric::data
