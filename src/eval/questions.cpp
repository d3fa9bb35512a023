#include "eval/questions.h"

#include <string>
#include <vector>

namespace rubric {
namespace {

std::string text_of(const Json& row, const char* field) {
  const Json* text = row.find(field);
  return text != nullptr && text->is_string() ? text->string() : "";
}

}  // namespace

Clusters questions_of(const ScoredRows& rows) {
  std::vector<std::vector<std::string>> keys;  // of three lengths, so that no two kinds meet
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    const Json& row = rows.rows[i];
    const std::string question = text_of(row, "question");
    if (!question.empty()) {
      // MOCHA's own files call the passage "context".
      keys.push_back({text_of(row, "passage"), text_of(row, "context"), question});
    } else if (!rows.systems.empty()) {
      const InstanceKey record = key_of(rows, i);
      keys.push_back({record.first, record.second});
    } else {
      keys.push_back({std::to_string(i)});
    }
  }
  return clusters_by(keys);
}

}  // namespace rubric
