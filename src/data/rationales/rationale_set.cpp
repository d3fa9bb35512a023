#include "data/rationales/readers.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "data/rationales/rationale_rows.h"

namespace rubric {
namespace {

std::string problem_of(const FoundRationale& found, Checked checked) {
  if (found.record.id.empty()) return "the id is missing or empty";
  if (!found.problem.empty()) return found.problem;
  return checked == Checked::rationales ? rationale_text_problem(found.record)
                                        : rationale_problem(found.record);
}

}  // namespace

RationaleSet usable_rationales(std::vector<FoundRationale> found, Checked checked) {
  RationaleSet set;
  std::unordered_set<std::string> ids;
  for (FoundRationale& example : found) {
    example.problem = problem_of(example, checked);
    if (!ids.insert(example.record.id).second && example.problem.empty()) {
      example.problem = "the id stood before";
    }
    if (example.problem.empty()) {
      set.records.push_back(std::move(example.record));
    } else {
      set.unusable.push_back(std::move(example));
    }
  }
  return set;
}

std::vector<std::string> list_problems(const RationaleSet& set) {
  std::vector<std::pair<std::string, std::vector<std::string>>> ids;  // by problem
  for (const FoundRationale& example : set.unusable) {
    auto found =
        std::ranges::find(ids, example.problem, [](const auto& each) { return each.first; });
    if (found == ids.end()) found = ids.insert(ids.end(), {example.problem, {}});
    found->second.push_back(example.record.id);
  }
  std::vector<std::string> problems;
  for (const auto& [problem, examples] : ids) {
    problems.push_back(problem + " (" + std::to_string(examples.size()) +
                       "): " + join_some(examples));
  }
  return problems;
}

InputError unusable_error(const RationaleSet& set) {
  const FoundRationale& first = set.unusable.front();
  const size_t all = set.records.size() + set.unusable.size();
  return InputError(std::to_string(set.unusable.size()) + " of " + std::to_string(all) +
                        " examples cannot be used: " + join_some(list_problems(set), "; "),
                    first.where + ": " + first.record.id,
                    "correct them, or leave them out with --keep-going");
}

}  // namespace rubric
