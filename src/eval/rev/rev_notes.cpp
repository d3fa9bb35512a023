#include "eval/rev/rev_notes.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace rubric {
namespace {

std::string interval_note(const RevEvaluation& evaluation) {
  const bool has_seeds = std::ranges::any_of(
      evaluation.kinds, [](const RevKind& kind) { return kind.scores.size() > 1; });
  std::string note = "95% intervals of " + std::to_string(evaluation.bootstrap.resamples) +
                     " bootstrap resamples" + (has_seeds ? " of seeds and rows" : "");
  if (evaluation.questions < evaluation.n) {
    note += "; " + std::to_string(evaluation.n) + " rows of " +
            std::to_string(evaluation.questions) + " questions, resampled by question";
  }
  return note;
}

// How many rows of each file are not common to all.
std::string left_out_note(const RevEvaluation& evaluation) {
  std::vector<std::string> files;
  for (const RevKind& kind : evaluation.kinds) {
    std::vector<std::string> by_seed;
    for (const int64_t rows : kind.left_out) by_seed.push_back(std::to_string(rows));
    files.push_back(join(by_seed, " and ") + " of " + kind.name);
  }
  return "Only the " + std::to_string(evaluation.n) + " of " +
         std::to_string(evaluation.n + std::ssize(evaluation.left_out)) +
         " rows that all files hold, with all figures; left out: " + join(files);
}

// Nothing where the kinds' baselines were made alike.
std::vector<std::string> baseline_notes(const RevEvaluation& evaluation) {
  std::set<std::string> different;
  std::vector<std::string> kinds;
  for (const RevKind& kind : evaluation.kinds) {
    if (kind.baselines.empty()) continue;
    std::vector<std::string> makers;
    for (const auto& [maker, rows] : kind.baselines) makers.push_back(maker);
    different.insert(join(makers));
    kinds.push_back(kind.name + " by " + join(makers, " and "));
  }
  if (different.size() < 2) return {};
  return {"The kinds' baselines were not made alike, and REV is the gain over them: " +
          join(kinds, "; ")};
}

// Of LAS, which wants rows in both of its groups.
std::vector<std::string> group_notes(const RevKind& kind) {
  if (!kind.has(kLas)) return {};
  if (!kind.means[kLas]) {
    return {"LAS of " + kind.name + " is undefined: in a seed all rows leak, or none does"};
  }
  const auto undefined =
      std::ranges::count_if(kind.resampled[kLas], [](const auto& figure) { return !figure; });
  if (undefined == 0) return {};
  return {"LAS of " + kind.name + ": " + std::to_string(undefined) +
          " resamples without rows in both groups are left out of the interval"};
}

void add_human_notes(const RevHumans& humans, std::vector<std::string>& notes) {
  if (humans.ties > 0) {
    notes.push_back(
        "Rationales that as many annotators call justified as not, which counts as "
        "not (-1): " +
        std::to_string(humans.ties));
  }
  if (humans.other_kinds > 0) {
    notes.push_back("Judgements of kinds that are not evaluated, which do not count: " +
                    std::to_string(humans.other_kinds));
  }
  if (humans.left_out > 0) {
    notes.push_back("Judgements of rows that are left out, which do not count: " +
                    std::to_string(humans.left_out));
  }
  if (!humans.is_same_rows) notes.emplace_back("Not the same rows are judged of every kind");
}

}  // namespace

std::vector<std::string> rev_notes(const RevEvaluation& evaluation,
                                   const std::optional<RevHumans>& humans) {
  std::vector<std::string> notes = {interval_note(evaluation)};
  if (!evaluation.left_out.empty()) notes.push_back(left_out_note(evaluation));
  for (std::string& note : baseline_notes(evaluation)) notes.push_back(std::move(note));
  for (const RevKind& kind : evaluation.kinds) {
    for (std::string& note : group_notes(kind)) notes.push_back(std::move(note));
    const auto others = std::ranges::count(kind.has_other_texts, true);
    if (others > 0) {
      notes.push_back(kind.name + ": rows whose label or rationale is not the same in all seeds: " +
                      std::to_string(others));
    }
  }
  if (humans) add_human_notes(*humans, notes);
  return notes;
}

}  // namespace rubric
