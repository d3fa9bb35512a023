// Human labels of answers by CHIE's four aspects, and the assessments of judges and annotators of
// the same answers.
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
  std::string system, language, id;  // of the answer; language "": that of the system
  std::string annotator;
  judge::Verdicts verdicts;
  std::string where;  // "file:line"
};

// Reads rows (.jsonl, .csv, .tsv), one for each annotator and answer: id, system, optionally
// language, annotator, and C, H, I and E as 1 or 0 (1.0 or 0.0), true or false, agree or disagree
// (in any case). Throws InputError with file:line for anything else, including an empty aspect and
// an annotator who labels an answer twice.
std::vector<HumanLabel> read_human_labels(const std::filesystem::path& file);

// The error for two labels of one answer by one annotator.
InputError labelled_twice(const HumanLabel& first, const HumanLabel& second);

// Assessments.

// Whether an assessor agrees, by aspect; nothing when unknown: a tie, or all four for a reply that
// holds no verdicts.
using Opinion = std::array<std::optional<bool>, judge::kAspects.size()>;

struct Assessor {
  std::string name;                              // "gpt-4-0613", "human 4"
  std::vector<std::optional<Opinion>> opinions;  // by answer; nothing for answers not assessed
  int64_t others = 0;                            // assessed answers that are not in the ledger
};

// The annotators' majority, aspect by aspect, over those who assessed an answer.
struct HumanMajority {
  Assessor assessor;
  std::vector<std::string> annotators;
  int64_t incomplete = 0;  // answers that some of them did not assess
  int64_t ties = 0;        // verdicts without a majority
};

// How often the majority agrees with a system's answers (Table 1).
struct MajorityCounts {
  std::string system;
  int64_t n = 0;  // assessed answers
  std::array<int64_t, judge::kAspects.size()> agreed{}, ties{};
};

struct ChieAssessments {
  std::vector<const judge::LedgerEntry*>
      answers;                   // of the first ledger, in the order of its systems
  std::vector<Assessor> judges;  // the first ledger's judge first
  std::vector<Assessor> humans;  // annotators outside the majority
  std::optional<HumanMajority> majority;
};

// The answers of a ledger, with its judge.
ChieAssessments assessments_of(const ChieEvaluation& evaluation, const std::string& judge);

// Adds the judge of another ledger; answers are matched by system, language and id. Throws
// InputError, naming `where`, when a matched answer has another passage, question or text, and when
// none matches.
void add_judge(ChieAssessments& assessments, const ChieEvaluation& evaluation,
               const std::string& judge, const std::string& where);

// Adds the majority of `annotators` (empty: of all), and the others one by one, in the order of
// names. Labels of answers that are not in the ledger are counted, not refused: a file may cover
// more systems, and a ledger grows answer by answer. Throws InputError for an annotator without
// labels, for one who labels an answer twice or has a judge's name, for more than a hundred
// annotators, and when no answer is labelled by any of `annotators`.
void add_humans(ChieAssessments& assessments, std::span<const HumanLabel> labels,
                std::vector<std::string> annotators);

// By system, in the order of the answers; empty without a majority.
std::vector<MajorityCounts> majority_counts(const ChieAssessments& assessments);

}  // namespace rubric::eval
