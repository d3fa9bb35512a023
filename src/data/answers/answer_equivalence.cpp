#include "data/answers/answer_equivalence.h"

#include <string>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

double label_score(const Json& row, const std::string& where) {
  constexpr double kCorrect = 5, kIncorrect = 1;
  const std::string& label = row.require_string("label", where);
  if (label == "correct") return kCorrect;
  if (label == "incorrect") return kIncorrect;
  throw InputError("the label must be \"correct\" or \"incorrect\", it is " + json_quote(label),
                   where, "correct the label, or remove the row");
}

}  // namespace

std::vector<Answer> read_answer_equivalence(const std::filesystem::path& file) {
  std::vector<Answer> answers;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    Answer answer;
    answer.id = std::to_string(answers.size() + 1);
    answer.constituent = kAnswerEquivalence.name;
    answer.question = row.require_string("question", where);
    answer.references = {row.require_string("reference", where)};
    answer.candidate = row.require_string("candidate", where);
    answer.score = label_score(row, where);
    answers.push_back(std::move(answer));
    return true;
  });
  if (answers.empty()) throw InputError("the file has no rows", file.string(), "fetch it again");
  log_info(file.string() + ": correct and incorrect are the labels 5 and 1");
  return answers;
}

// Of four fields and no more: rows of one's own may have a label, too.
bool is_begun_by_answer_equivalence(std::string_view start) {
  const std::string_view row = start.substr(0, start.find('}'));
  size_t fields = 0;
  for (size_t i = row.find("\":"); i != std::string_view::npos; i = row.find("\":", i + 1))
    ++fields;
  constexpr size_t kFields = 4;
  return fields == kFields && (row.starts_with("{\"label\":\"correct\",\"reference\":") ||
                               row.starts_with("{\"label\":\"incorrect\",\"reference\":"));
}

}  // namespace rubric::data
