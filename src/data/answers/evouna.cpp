#include "data/answers/evouna.h"

#include <string_view>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"

namespace rubric::data {
namespace {

constexpr double kCorrect = 5, kWrong = 1;
constexpr std::string_view kAnswer = "answer_", kJudge = "judge_";

const Json& require_verdict(const Json& entry, const std::string& name, const std::string& where) {
  const Json& value = entry.require(name, where);
  if (value.is_bool() || value.is_null()) return value;
  throw InputError(
      "the field " + json_quote(name) + " must be true, false or null, it is " + value.kind(),
      where, "write one of these");
}

std::vector<std::string> golden_answers_of(const std::string& golden_answer,
                                           const std::string& where) {
  std::vector<std::string> references;
  for (size_t begin = 0; begin <= golden_answer.size();) {
    const size_t end = std::min(golden_answer.find('/', begin), golden_answer.size());
    const std::string_view part = trim(std::string_view(golden_answer).substr(begin, end - begin));
    if (!part.empty()) references.emplace_back(part);
    begin = end + 1;
  }
  if (references.empty())
    throw InputError("golden_answer holds no answer", where,
                     "write the answer, several ones as a/b, or leave the question out");
  return references;
}

// Adds the answers of one question; returns how many have no verdict.
int64_t add_answers(const Json& entry, int64_t number, const std::string& where,
                    std::vector<Answer>& answers) {
  int64_t without_verdict = 0;
  Answer answer;
  answer.id = std::to_string(number - 1);
  answer.question = entry.require_string("question", where);
  answer.references = golden_answers_of(entry.require_string("golden_answer", where), where);
  for (const auto& [key, value] : entry.object()) {
    if (key.starts_with(kJudge))
      entry.require(std::string(kAnswer) + key.substr(kJudge.size()), where);
    if (!key.starts_with(kAnswer)) continue;
    answer.constituent = key.substr(kAnswer.size());
    answer.candidate = value.is_null() ? "" : entry.require_string(key, where);
    const Json& verdict = require_verdict(entry, std::string(kJudge) + answer.constituent, where);
    if (verdict.is_null()) {
      ++without_verdict;
      continue;
    }
    answer.score = verdict.boolean() ? kCorrect : kWrong;
    answers.push_back(answer);
  }
  return without_verdict;
}

}  // namespace

std::vector<Answer> read_evouna(const std::filesystem::path& file) {
  const Json questions = Json::parse_file(file);
  if (!questions.is_array()) {
    throw InputError(std::string("expected an array, found ") + questions.kind(), file.string(),
                     "EVOUNA's files are [{question, golden_answer, answer_SYSTEM, …}]");
  }
  std::vector<Answer> answers;
  int64_t number = 0, improper = 0, without_verdict = 0;
  for (const Json& entry : questions.array()) {
    const std::string where = file.string() + ": question " + std::to_string(++number);
    if (!entry.is_object()) {
      throw InputError(std::string("expected an object, found ") + entry.kind(), where,
                       "give EVOUNA's file: an array of objects");
    }
    const Json& is_improper = require_verdict(entry, "improper", where);
    if (is_improper.is_bool() && is_improper.boolean()) {
      ++improper;
    } else {
      without_verdict += add_answers(entry, number, where, answers);
    }
  }
  if (answers.empty())
    throw InputError("the file has no judged answers", file.string(),
                     "give EVOUNA's file, with people's verdicts");
  log_info(file.string() + ": " + counted(std::ssize(answers), "answer") +
           "; left out: " + counted(improper, "improper question") + " of " +
           std::to_string(number) + ", " + counted(without_verdict, "answer") +
           " to the others without a verdict; the verdicts true and false are the labels 5 and 1");
  return answers;
}

bool is_begun_by_evouna(std::string_view start) {
  return start.starts_with("[{\"question\":") &&
         start.find("\"golden_answer\":") != std::string_view::npos &&
         start.find("\"answer_") != std::string_view::npos &&
         start.find("\"candidate\":") == std::string_view::npos;
}

}  // namespace rubric::data
