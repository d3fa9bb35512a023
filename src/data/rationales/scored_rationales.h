// Rationales with their REV scores, the simulators' choices and annotators' judgements.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric::data {

struct ScoredRationale : Rationale {
  std::string where = {};          // "file:line: ID", for messages
  std::string baseline_by = {};    // how `derive vacuous-rationales` made the baseline; "": unknown
  std::optional<double> rev = {};  // scores.rev, nats
  // The choices of simulators that read the question (x), the rationale (r), and both (xr); "":
  // missing.
  std::string sim_x = {}, sim_r = {}, sim_xr = {};
};

// Whether rows may lack a score, a simulator's choice or a gold label. If such gaps are kept, rows
// without scores.rev that cannot be read (`score rev --keep-going` leaves them) are kept too, with
// only their place.
enum class Gaps { refused, kept };

// Reads a file of rationales (JSON lines). Throws InputError with file:line and id as
// rationale_of() does, and for a row without choices, a repeated id, a simulator's choice that is
// not among the choices, a score that is not a finite number and, with Gaps::refused, a gap.
std::vector<ScoredRationale> read_scored_rationales(const std::filesystem::path& file,
                                                    Gaps gaps = Gaps::refused);

// Removes rows that lack something that another row has, and rows that cannot be read.
void take_out_gaps(std::vector<ScoredRationale>& rows);

// An annotator's judgement of a rationale (REV, Chen et al. 2022, section 4.2).
struct RationaleJudgement {
  std::string id, kind;    // of the rationale
  bool justifies = false;  // whether the rationale justifies the label
  // New information: 0 none, 1 little, 2 some, 3 enough; 0 if it does not justify.
  int amount = 0;
  std::string where;  // "file:line"
};

// Reads rows (.jsonl, .csv, .tsv), one for each annotator and rationale: id, kind, justifies (yes
// or no), amount (none, little, some or enough; ignored when justifies is no) and optionally
// annotator. Throws InputError with file:line for anything else, and for an annotator who judges a
// rationale twice.
std::vector<RationaleJudgement> read_rationale_judgements(const std::filesystem::path& file);

}  // namespace rubric::data
