// What annotators said of rationales (REV, Chen et al. 2022, section 4.2).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubric {

struct RationaleJudgement {
  std::string id, kind;    // of the rationale
  bool justifies = false;  // the rationale the label
  int amount = 0;          // of new information: none, little, some, enough as 0 … 3; 0 of a no
  std::string where;       // "file:line"
};

// Rows (.jsonl, .csv, .tsv), one of each annotator for each rationale: id, kind, justifies (yes or
// no), amount (none, little, some or enough; what it says beside a no does not count) and perhaps
// annotator. Throws InputError with file:line for anything else, and for an annotator that judges a
// rationale twice.
std::vector<RationaleJudgement> read_rationale_judgements(const std::filesystem::path& file);

}  // namespace rubric
