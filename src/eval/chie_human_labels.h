// What annotators say of answers, by CHIE's four aspects.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "judge/verdicts.h"

namespace rubric {

struct HumanLabel {
  std::string system, language, id;  // of the answer; language "": the system's, whichever it is
  std::string annotator;
  Verdicts verdicts;
  std::string where;  // "file:line"
};

// Rows (.jsonl, .csv, .tsv), one of each annotator for each answer: id, system, perhaps language,
// annotator, and C, H, I and E as 1 or 0, true or false, agree or disagree (in any letters).
// Throws InputError with file:line for anything else, for an aspect left empty too.
std::vector<HumanLabel> read_human_labels(const std::filesystem::path& file);

}  // namespace rubric
