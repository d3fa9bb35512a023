// Rationales with what an evaluator and the simulators made of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric::data {

struct ScoredRationale : Rationale {
  std::string where = {};          // "file:line: ID", for messages
  std::string baseline_by = {};    // what made the baseline, as `derive baselines` says; "": untold
  std::optional<double> rev = {};  // scores.rev, nats
  // The choices of simulators that read the question, the rationale, and both; "": none is there.
  std::string sim_x = {}, sim_r = {}, sim_xr = {};
};

// What becomes of a file some of whose rows lack a score, a simulator's choice or a gold label.
// Kept are also rows without scores.rev that cannot be read, as `score rev --keep-going` leaves
// them, with nothing but their place.
enum class Gaps { refused, kept };

// The rows of a file of rationales (JSON lines). Throws InputError with file:line and id as
// rationale_of() does, for a row without choices, an id that stands twice, a simulator's choice
// that is not among the choices, a score that is not a finite number and, unless they are kept, for
// gaps.
std::vector<ScoredRationale> read_scored_rationales(const std::filesystem::path& file,
                                                    Gaps gaps = Gaps::refused);

// Takes out the rows of a file that lack what another of them has, and those that cannot be read.
void take_out_gaps(std::vector<ScoredRationale>& rows);

// What annotators said of rationales (REV, Chen et al. 2022, section 4.2).

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

}  // namespace rubric::data
