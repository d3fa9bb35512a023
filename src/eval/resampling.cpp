#include "eval/resampling.h"

#include <algorithm>

namespace rubric {
namespace {

std::string text_of(const Json& row, const char* field) {
  const Json* text = row.find(field);
  return text != nullptr && text->is_string() ? text->string() : "";
}

}  // namespace

// Keys are of three lengths, so that no two kinds meet.
QuestionKey question_of(const ScoredRows& rows, size_t row) {
  const Json& json = rows.rows[row];
  const std::string question = text_of(json, "question");
  if (!question.empty()) {
    // MOCHA's own files call the passage "context".
    return {text_of(json, "passage"), text_of(json, "context"), question};
  }
  if (rows.systems.empty()) return {std::to_string(row)};
  const InstanceKey record = key_of(rows, row);
  return {record.first, record.second};
}

bool names_questions(const ScoredRows& rows) {
  return std::ranges::any_of(rows.rows,
                             [](const Json& row) { return !text_of(row, "question").empty(); });
}

Clusters questions_of(const ScoredRows& rows) {
  std::vector<QuestionKey> keys;
  for (size_t i = 0; i < rows.rows.size(); ++i) keys.push_back(question_of(rows, i));
  return clusters_by(keys);
}

}  // namespace rubric
