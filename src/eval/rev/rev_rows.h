// Rationales one by one, as in Table 5 of Chen et al. 2022.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/rev/rev_suite.h"
#include "eval/report/table.h"

namespace rubric {

// The rows' places in their files: the first `count`, then those of `ids`, each once. Throws
// InputError for an id that there is not.
std::vector<size_t> choose_rows(std::span<const ScoredRationale> rows, int64_t count,
                                std::span<const std::string> ids);

// A line for each kind, seed and chosen row: kind, seed, id, question, label (with the gold one
// where it is another), rationale, and the three figures.
Table rev_row_table(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                    std::span<const size_t> chosen);

// {KIND: [{"seed", "id", "question" or "premise" and "hypothesis", "label", "gold", "rationale",
// "rev", "las", "rq"}, …]}; figures that are not scored are null.
Json rev_row_json(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                  std::span<const size_t> chosen);

}  // namespace rubric
