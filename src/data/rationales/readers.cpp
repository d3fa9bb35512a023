#include "data/rationales/readers.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "data/rationales/list.h"
#include "data/rationales/rationale_rows.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"

namespace rubric::data {

namespace {

std::string problem_of(const RationaleExample& found, Checked checked) {
  if (found.record.id.empty()) return "the id is missing or empty";
  if (!found.problem.empty()) return found.problem;
  return checked == Checked::rationales ? rationale_text_problem(found.record)
                                        : rationale_problem(found.record);
}

}  // namespace

RationaleSet read_rationale_source(const RationaleSource& source) {
  const RationaleReader& reader = require_rationale_reader(source.kind);
  std::vector<RationaleExample> found;
  for (const std::string& file : source.files) {
    std::vector<RationaleExample> examples =
        reader.read != nullptr ? reader.read(file)
                               : reader.read_explanation(file, source.explanation);
    if (examples.empty())
      throw InputError("the file has no examples", file, "name a file with examples");
    found.insert(found.end(), std::move_iterator(examples.begin()),
                 std::move_iterator(examples.end()));
  }
  if (reader.add_questions == nullptr) return usable_rationales(std::move(found));
  if (source.questions.empty()) return usable_rationales(std::move(found), Checked::rationales);
  reader.add_questions(found, source.questions);
  return usable_rationales(std::move(found));
}

RationaleSet usable_rationales(std::vector<RationaleExample> found, Checked checked) {
  RationaleSet set;
  std::unordered_set<std::string> ids;
  for (RationaleExample& example : found) {
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
  for (const RationaleExample& example : set.unusable) {
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
  const RationaleExample& first = set.unusable.front();
  const size_t all = set.records.size() + set.unusable.size();
  return InputError(std::to_string(set.unusable.size()) + " of " + std::to_string(all) +
                        " examples cannot be used: " + join_some(list_problems(set), "; "),
                    first.where + ": " + first.record.id,
                    "correct them, or leave them out with --keep-going");
}

RationaleExample keyed_question(const Json& row, const std::string& where) {
  RationaleExample example;
  example.where = where;
  Rationale& record = example.record;
  record.id = std::string(plain_name(row.require_string("id", where)));
  const std::string place = where + ": " + record.id;
  const Json& question = row.require("question", place);
  if (!question.is_object()) {
    throw InputError(
        std::string("the field \"question\" must be an object, it is ") + question.kind(), place,
        "give {\"stem\", \"choices\": [{\"label\", \"text\"}, …]}");
  }
  record.question = question.require_string("stem", place);
  std::vector<std::string> keys;
  for (const Json& choice : question.require_array("choices", place)) {
    keys.push_back(choice.require_string("label", place));
    record.choices.push_back(choice.require_string("text", place));
    if (std::ranges::count(keys, keys.back()) > 1) {
      example.problem = "two choices have the letter " + json_quote(keys.back());
    }
  }
  const std::string key = optional_text(row, "answerKey", place);
  const auto found = std::ranges::find(keys, key);
  if (found != keys.end()) {
    record.gold = record.label = record.choices[static_cast<size_t>(found - keys.begin())];
  } else {
    example.problem = key.empty()
                          ? "there is no answerKey"
                          : "the answerKey " + json_quote(key) + " is not the letter of a choice";
  }
  return example;
}

}  // namespace rubric::data
