#include "data/answers/nq_open.h"

#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/answers/predicted_answers.h"
#include "data/rows/rows.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

std::vector<Answer> read_nq_open(const std::filesystem::path& file,
                                 const std::filesystem::path& predictions, MissingValues& missing) {
  std::vector<Answer> questions;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    Answer answer;
    answer.id = std::to_string(questions.size() + 1);
    answer.question = row.require_string("question", where);
    for (const std::string& text : required_texts(row, "answer", where)) {
      answer.references.push_back(text::to_nfd(text));
    }
    if (answer.references.empty())
      throw InputError("the question has no answer", where,
                       "give its answers, or leave the question out");
    questions.push_back(std::move(answer));
    return true;
  });
  if (questions.empty())
    throw InputError("the file has no questions", file.string(),
                     "give NQ-open's file, a question a line");
  std::set<std::string> distinct;
  for (const Answer& question : questions) distinct.insert(question.question);
  if (distinct.size() < questions.size()) {
    log_warning(counted(std::ssize(questions) - std::ssize(distinct), "question occurs",
                        "questions occur") +
                " more than once, and each row counts (the official script keeps the last)");
  }
  std::vector<Answer> answers = with_predictions(
      std::move(questions), read_predicted_answers(predictions, "question", missing),
      [](const Answer& question) { return question.question; }, "", predictions);
  for (Answer& answer : answers) answer.candidate = text::to_nfd(answer.candidate);
  return answers;
}

}  // namespace rubric::data
