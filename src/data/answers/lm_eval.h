// The samples that lm-evaluation-harness logs (--log_samples) of tasks that generate text.
#pragma once

#include <filesystem>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// Reads JSON lines {"doc_id", "doc", "target", "filtered_resps", "filter"}. The candidate is the
// first of filtered_resps; the reference is the target, a text, a number, a list of texts, or the
// text of such a list, as templates write one; question and passage are doc's "question" and
// "context" or "passage"; the constituent is the filter, as a sample is logged once for each.
// Throws InputError naming file and line, also for the samples of a multiple-choice task, which
// have likelihoods instead of texts.
std::vector<Answer> read_lm_eval(const std::filesystem::path& file);

inline constexpr InputFormat kLmEval = {
    .name = "lm_eval",
    .summary = "samples that lm-evaluation-harness logs (--log_samples)",
    .read = read_lm_eval};

}  // namespace rubric::data
