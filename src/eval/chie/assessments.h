// What annotators say of answers, by CHIE's four aspects.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "eval/chie/suite.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::eval {

struct HumanLabel {
  std::string system, language, id;  // of the answer; language "": the system's, whichever it is
  std::string annotator;
  judge::Verdicts verdicts;
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

// What judges and annotators say of the same answers, side by side.

// Whether somebody agrees, by aspect; nothing where that is not known: a tie, or all four of a
// reply that holds no verdicts.
using Opinion = std::array<std::optional<bool>, judge::kAspects.size()>;

struct Assessor {
  std::string name;                              // "gpt-4-0613", "human 4"
  std::vector<std::optional<Opinion>> opinions;  // by answer; nothing of those it did not assess
  int64_t others = 0;                            // answers that it assessed and that are not here
};

// The annotators' majority, aspect by aspect, of those who assessed an answer.
struct HumanMajority {
  Assessor assessor;
  std::vector<std::string> annotators;
  int64_t incomplete = 0;  // answers that some of them did not assess
  int64_t ties = 0;        // verdicts that as many give as do not, which leaves no majority
};

// How often the majority agrees with a system's answers (Table 1).
struct MajorityCounts {
  std::string system;
  int64_t n = 0;  // answers that it assessed
  std::array<int64_t, judge::kAspects.size()> agreed{}, ties{};
};

struct ChieAssessments {
  std::vector<const judge::LedgerEntry*>
      answers;                   // of the first ledger, in the order of its systems
  std::vector<Assessor> judges;  // the first ledger's first
  std::vector<Assessor> humans;  // annotators who are not of the majority
  std::optional<HumanMajority> majority;
};

// The answers of a ledger, with its judge.
ChieAssessments assessments_of(const ChieEvaluation& evaluation, const std::string& judge);

// Adds the judge of another ledger. Its answers are those of one system, language and id. Throws
// InputError, naming `where`, for another passage, question or text under these, and where it has
// none of the answers.
void add_judge(ChieAssessments& assessments, const ChieEvaluation& evaluation,
               const std::string& judge, const std::string& where);

// Adds the majority of `annotators` (none: of all), and the others one by one. Labels of answers
// that are not here are counted, not refused: a file may hold labels of more systems than a ledger,
// which also grows answer by answer. Annotators are in the order of their names. Throws InputError
// for an annotator that no label is of, for one who labels an answer twice or is called as a judge,
// for more than a hundred, and when no answer is labelled by any of `annotators`.
void add_humans(ChieAssessments& assessments, std::span<const HumanLabel> labels,
                std::vector<std::string> annotators);

// By system, in the order of the answers; nothing without a majority.
std::vector<MajorityCounts> majority_counts(const ChieAssessments& assessments);

}  // namespace rubric::eval
