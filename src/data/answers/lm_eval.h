// The samples that lm-evaluation-harness logs (--log_samples) of tasks that generate text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// Reads JSON lines {"doc_id", "doc", "target", "filtered_resps", "filter"}. The candidate is the
// first of filtered_resps; the reference is the target, a text, a number, a list of texts, or the
// text of such a list, as templates write one; question and passage are doc's "question" and
// "context" or "passage"; the constituent is sample_constituent().
// Throws InputError naming file and line, also for the samples of a multiple-choice task, which
// have likelihoods instead of texts.
// A target that looks like a list and is none is a text.
std::vector<Answer> read_lm_eval(const std::filesystem::path& file);

// Whether a row is such a sample, not scored yet.
bool is_lm_eval_sample(const Json& row);

// A sample is logged once for each filter, and tasks number their samples from 0: "gsm8k/strict" of
// the row's "task", if it has one, and "filter".
std::string sample_constituent(const Json& row);

// The answer of a sample; without "doc_id" its id is `number`. Throws InputError with `where`.
Answer lm_eval_answer(const Json& row, int64_t number, const std::string& where);

inline constexpr InputFormat kLmEval = {
    .name = "lm_eval",
    .summary = "samples that lm-evaluation-harness logs (--log_samples)",
    .read = read_lm_eval};

}  // namespace rubric::data
