// The files that `evaluate rev` compares.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/rationales/scored_rationales.h"
#include "stats/bootstrap.h"

namespace rubric {

// A kind of rationale-label pairs ("gold", "x_yr"): the same questions for each seed.
struct RevPairs {
  std::string kind;
  std::vector<std::vector<ScoredRationale>> seeds;
  std::vector<std::set<std::string>> left_out = {};  // by seed: ids of its file that are not common
};

// A kind and a file of it; the files of one kind are its seeds.
using RevFile = std::pair<std::string, std::filesystem::path>;

// Whether all files must have the same rows, or what they do not have in common is left out.
enum class RowsWanted { same, common };

// Kinds in the order of their first file. All files hold the same ids in the same order, each with
// the same question, choices and gold label; labels and rationales are the kind's own, and perhaps
// the seed's. The seeds of a kind have the same figures to give. Throws InputError naming ids and
// files otherwise.
std::vector<RevPairs> read_rev_pairs(std::span<const RevFile> files,
                                     RowsWanted wanted = RowsWanted::same);

// The rows of one question (or premise and hypothesis) together.
Clusters questions_of(std::span<const ScoredRationale> rows);

}  // namespace rubric
