#include "data/answers/nq_open.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "data/answers/predicted_answers.h"
#include "data/rows/rows.h"

namespace rubric::data {

std::vector<Answer> read_nq_open(const std::filesystem::path& file,
                                 const std::filesystem::path& predictions) {
  std::vector<Answer> questions;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    Answer answer;
    answer.id = std::to_string(questions.size() + 1);
    answer.question = row.require_string("question", where);
    for (const Json& text : row.require_array("answer", where)) {
      if (!text.is_string()) {
        throw InputError("an answer must be a string, it is " + std::string(text.kind()), where);
      }
      answer.references.push_back(text.string());
    }
    if (answer.references.empty()) throw InputError("the question has no answer", where);
    questions.push_back(std::move(answer));
    return true;
  });
  if (questions.empty()) throw InputError("the file has no questions", file.string());
  return with_predictions(
      std::move(questions), read_predicted_answers(predictions, "question"),
      [](const Answer& question) { return question.question; }, "", predictions);
}

}  // namespace rubric::data
