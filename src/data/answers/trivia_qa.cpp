#include "data/answers/trivia_qa.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/utf8.h"
#include "data/answers/predicted_answers.h"
#include "data/rows/rows.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

// The text with blanks for what the script takes for punctuation; normalize_answer() does the rest.
std::string without_punctuation(std::string_view answer) {
  constexpr std::u32string_view kQuotes = U"‘’´";
  std::string kept;
  for (size_t i = 0; i < answer.size();) {
    const size_t start = i;
    const char32_t c = decode_utf8(answer, i);
    const bool is_punctuation =
        text::is_ascii_punctuation(c) || kQuotes.find(c) != std::u32string_view::npos;
    kept += is_punctuation ? " " : answer.substr(start, i - start);
  }
  return kept;
}

std::string normalised(const std::string& text) {
  return text::normalize_answer(without_punctuation(text));
}

bool is_true(const Json& object, const std::string& name) {
  const Json* const value = object.is_object() ? object.find(name) : nullptr;
  return value != nullptr && value->is_bool() && value->boolean();
}

}  // namespace

std::vector<Answer> read_trivia_qa(const std::filesystem::path& file,
                                   const std::filesystem::path& predictions,
                                   MissingValues& missing) {
  const Json root = Json::parse_file(file);
  const Json* const domain = root.find("Domain");
  if (domain != nullptr && domain->is_string() && domain->string() == "Web") {
    throw InputError("predictions for the domain Web belong to a question and a document each",
                     file.string(), "give the files of the domain Wikipedia or unfiltered ones");
  }
  const bool is_verified = is_true(root, "VerifiedEval");
  std::vector<Answer> questions;
  for (const Json& entry : root.require_array("Data", file.string())) {
    if (is_verified && !is_true(entry, "QuestionPartOfVerifiedEval")) continue;
    const std::string& id = entry.require_string(
        "QuestionId", file.string() + ": question " + std::to_string(questions.size() + 1));
    const std::string where = file.string() + ": question " + id;
    Answer answer;
    answer.id = id;
    answer.question = entry.require_string("Question", where);
    const Json& aliases = entry.require("Answer", where);
    for (const char* const name : {"NormalizedAliases", "HumanAnswers"}) {
      if (name == std::string_view("HumanAnswers") && aliases.find(name) == nullptr) continue;
      for (const std::string& text : required_texts(aliases, name, where)) {
        answer.references.push_back(normalised(text));
      }
    }
    if (answer.references.empty())
      throw InputError("the question has no answer", where,
                       "give its answers, or leave the question out");
    questions.push_back(std::move(answer));
  }
  if (questions.empty())
    throw InputError("the file has no questions", file.string(),
                     "give TriviaQA's file: {\"Data\": […]}");
  std::vector<Answer> answers = with_predictions(
      std::move(questions), read_predicted_answers(predictions, "QuestionId", missing),
      [](const Answer& question) { return question.id; }, "", predictions);
  for (Answer& answer : answers) answer.candidate = normalised(answer.candidate);
  return answers;
}

}  // namespace rubric::data
