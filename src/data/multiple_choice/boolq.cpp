#include "data/multiple_choice/boolq.h"

#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::data {

ChoiceSet read_boolq(const std::filesystem::path& jsonl) {
  ChoiceSet set;
  LineReader lines(jsonl);
  for (std::string line; lines.next(line);) {
    if (trim(line).empty()) continue;
    const std::string where = lines.where();
    const Json row = Json::parse(line, where);
    ChoiceQuestion question;
    question.id = std::to_string(lines.line_number());
    question.source = source_name("boolq", jsonl);
    question.passage = row.require_string("passage", where);
    question.question = row.require_string("question", where);
    set_answers(question, {"yes", "no"}, row.require_boolean("answer", where) ? 0 : 1);
    set.questions.push_back(std::move(question));
  }
  require_questions(set, jsonl);
  return set;
}

}  // namespace rubric::data
