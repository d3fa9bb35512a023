#include "data/answers/squad.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "data/answers/predicted_answers.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

struct Questions {
  std::vector<Answer> all;
  bool is_v2 = false;
};

std::vector<std::string> texts_of(const Json::Array& answers, const std::string& where) {
  std::vector<std::string> texts;
  for (const Json& answer : answers) texts.push_back(answer.require_string("text", where));
  return texts;
}

void add_question(const Json& qa, const std::string& context, const std::string& where,
                  Questions& questions) {
  Answer answer;
  answer.id = qa.require_string("id", where);
  const std::string place = where + ", question " + answer.id;
  answer.passage = context;
  answer.question = qa.require_string("question", place);
  answer.references = texts_of(qa.require_array("answers", place), place);
  if (qa.find("is_impossible") != nullptr) {
    questions.is_v2 = true;
    answer.constituent = answer.references.empty() ? kNoAnswer : "has_answer";
    std::erase_if(answer.references,
                  [](const std::string& text) { return text::normalize_answer(text).empty(); });
    if (answer.references.empty()) answer.references = {""};
  } else if (answer.references.empty()) {
    throw InputError("the question has no answer, and does not say \"is_impossible\"", place,
                     "give SQuAD's own JSON");
  }
  questions.all.push_back(std::move(answer));
}

Questions read_questions(const std::filesystem::path& file) {
  const Json root = Json::parse_file(file);
  Questions questions;
  int64_t number = 0;
  for (const Json& article : root.require_array("data", file.string())) {
    const std::string where = file.string() + ": article " + std::to_string(++number);
    for (const Json& paragraph : article.require_array("paragraphs", where)) {
      const std::string& context = paragraph.require_string("context", where);
      for (const Json& qa : paragraph.require_array("qas", where)) {
        add_question(qa, context, where, questions);
      }
    }
  }
  if (questions.all.empty())
    throw InputError("the file has no questions", file.string(),
                     "give SQuAD's file: {\"data\": [{\"paragraphs\": …}]}");
  return questions;
}

}  // namespace

std::vector<Answer> read_squad(const std::filesystem::path& file,
                               const std::filesystem::path& predictions, MissingValues& missing) {
  Questions questions = read_questions(file);
  return with_predictions(
      std::move(questions.all), read_predicted_answers(predictions, "id", missing),
      [](const Answer& question) { return question.id; }, questions.is_v2 ? nullptr : "",
      predictions);
}

bool is_begun_by_squad(std::string_view start) {
  const bool has_version = start.starts_with("{\"version\":\"");
  const bool has_data = start.starts_with("{\"data\":[") ||
                        (has_version && start.find("\",\"data\":[") != std::string_view::npos);
  return has_data && start.find("\"paragraphs\":[") != std::string_view::npos;
}

}  // namespace rubric::data
