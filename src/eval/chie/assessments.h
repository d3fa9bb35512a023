// What annotators say of answers, by CHIE's four aspects.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "judge/verdicts/verdicts.h"

namespace rubric {

struct HumanLabel {
  std::string system, language, id;  // of the answer; language "": the system's, whichever it is
  std::string annotator;
  Verdicts verdicts;
  std::string where;  // "file:line"
};

// Rows (.jsonl, .csv, .tsv), one of each annotator for each answer: id, system, perhaps language,
// annotator, and C, H, I and E as 1 or 0 (1.0 or 0.0), true or false, agree or disagree (in
// any letters).
// Throws InputError with file:line for anything else, for an aspect left empty too, and for an
// annotator who labels an answer twice.
std::vector<HumanLabel> read_human_labels(const std::filesystem::path& file);

// That they are of one answer and one annotator: to be thrown.
InputError labelled_twice(const HumanLabel& first, const HumanLabel& second);

}  // namespace rubric
