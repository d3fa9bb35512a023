#include "data/rationales/cose.h"

#include <utility>

#include "core/error.h"
#include "data/rows/rows.h"

namespace rubric::data {

QuestionsById read_commonsenseqa(const std::vector<std::string>& files) {
  QuestionsById questions;
  for (const std::string& file : files) {
    visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
      RationaleExample question = keyed_question(row, where);
      const std::string id = question.record.id;
      const auto [place, is_new] = questions.emplace(id, std::move(question));
      if (is_new) return true;
      throw InputError("the question " + id + " is there twice", where,
                       "it is at " + place->second.where + ", too: leave one out");
    });
  }
  return questions;
}

std::vector<RationaleExample> read_cose(const std::filesystem::path& file) {
  std::vector<RationaleExample> found;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    RationaleExample example;
    example.where = where;
    example.record.id = row.require_string("id", where);
    const std::string place = where + ": " + example.record.id;
    example.record.rationale =
        row.require("explanation", place).require_string("open-ended", place);
    found.push_back(std::move(example));
    return true;
  });
  return found;
}

void add_questions(std::vector<RationaleExample>& explanations, const QuestionsById& questions) {
  for (RationaleExample& example : explanations) {
    const auto question = questions.find(example.record.id);
    if (question == questions.end()) {
      example.problem = "no question has the id (CoS-E and CommonsenseQA must have one version)";
      continue;
    }
    std::string rationale = std::move(example.record.rationale);
    example.record = question->second.record;
    example.record.rationale = std::move(rationale);
    example.problem = question->second.problem;
  }
}

void add_commonsenseqa(std::vector<RationaleExample>& explanations,
                       const std::vector<std::string>& files) {
  add_questions(explanations, read_commonsenseqa(files));
}

}  // namespace rubric::data
