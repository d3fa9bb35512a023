#include "data/rationales/keyed_question.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "data/rows/row_fields.h"

namespace rubric {

FoundRationale keyed_question(const Json& row, const std::string& where) {
  FoundRationale example;
  example.where = where;
  Rationale& record = example.record;
  record.id = row.require_string("id", where);
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
    example.problem = key.empty() ? "there is no answerKey"
                                  : "the answerKey " + json_quote(key) + " is no choice's letter";
  }
  return example;
}

}  // namespace rubric
