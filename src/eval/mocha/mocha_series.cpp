#include "eval/mocha/mocha_series.h"

#include "core/error.h"

namespace rubric {

bool is_chosen(const std::set<std::string>& constituents, const std::string& name) {
  return constituents.empty() || constituents.contains(name);
}

Series series_of(std::span<const Answer> answers, const Given& given,
                 const std::vector<size_t>& members) {
  Series series;
  for (const size_t i : members) {
    if (!answers[i].score) {
      throw InputError("the instance has no human score to compare with",
                       json_quote(answers[i].constituent) + " / " + json_quote(answers[i].id),
                       "evaluate a file with labels");
    }
    series.human.push_back(*answers[i].score);
    series.predicted.push_back(given[i].value_or(0));
    series.missing += given[i] ? 0 : 1;
  }
  return series;
}

std::vector<InstanceKey> keys_of(std::span<const Answer> answers) {
  std::vector<InstanceKey> keys;
  for (const Answer& answer : answers) keys.emplace_back(answer.constituent, answer.id);
  return keys;
}

std::vector<InstanceKey> keys_of(std::span<const AnswerPair> pairs) {
  std::vector<InstanceKey> keys;
  for (const AnswerPair& pair : pairs) keys.emplace_back(pair.better.constituent, pair.better.id);
  return keys;
}

}  // namespace rubric
