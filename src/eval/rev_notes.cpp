#include "eval/rev_notes.h"

#include <algorithm>
#include <utility>

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
  if (!humans.is_same_rows) notes.emplace_back("Not the same rows are judged of every kind");
}

}  // namespace

std::vector<std::string> rev_notes(const RevEvaluation& evaluation,
                                   const std::optional<RevHumans>& humans) {
  std::vector<std::string> notes = {interval_note(evaluation)};
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
