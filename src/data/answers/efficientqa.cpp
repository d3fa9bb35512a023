#include "data/answers/efficientqa.h"

#include <string>

#include "core/error.h"
#include "core/system/log.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

struct Grade {
  const char* field;
  double score;
};
constexpr Grade kGrades[] = {{"def_correct_predictions", 5},
                             {"poss_correct_predictions", 3},
                             {"def_incorrect_predictions", 1}};

}  // namespace

std::vector<Answer> read_efficientqa(const std::filesystem::path& file) {
  std::vector<Answer> answers;
  int64_t question = 0;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    Answer answer;
    answer.constituent = kEfficientQa.name;
    answer.question = row.require_string("question", where);
    answer.references = required_texts(row, "answer", where);
    if (answer.references.empty()) {
      throw InputError("the question has no answer", where, "add one, or remove the row");
    }
    ++question;
    int64_t prediction = 0;
    for (const Grade& grade : kGrades) {
      for (std::string& text : required_texts(row, grade.field, where)) {
        answer.id = std::to_string(question) + "." + std::to_string(++prediction);
        answer.candidate = std::move(text);
        answer.score = grade.score;
        answers.push_back(answer);
      }
    }
    return true;
  });
  if (answers.empty()) {
    throw InputError("the file has no graded predictions", file.string(), "fetch it again");
  }
  log_info(file.string() + ": the grades are the labels 5, 3 and 1: definitely correct, possibly " +
           "correct, definitely incorrect");
  return answers;
}

// Rows of one's own may have kept such a list beside their candidate.
bool is_begun_by_efficientqa(std::string_view start) {
  return start.starts_with("{") &&
         start.find("\"def_correct_predictions\":[") != std::string_view::npos &&
         start.find("\"candidate\":") == std::string_view::npos;
}

}  // namespace rubric::data
