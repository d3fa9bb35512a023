// BERTScore of the answers that a ledger judges, from the ledger scored.
#pragma once

#include <filesystem>
#include <vector>

#include "eval/chie/suite.h"

namespace rubric {

// Sets each answer's BERTScore F1 and each system's mean, in percent, from JSON lines with id,
// system, language, candidate and scores.bertscore: what `score bertscore --input LEDGER` writes.
// Throws InputError for an answer without a score, and for a score of another candidate.
void add_bertscores(std::vector<ChieSystem>& systems, const std::filesystem::path& file);

}  // namespace rubric
