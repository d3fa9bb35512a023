// The tiny LERC of tests/fixtures/make_lerc.py and answers for it.
#pragma once

#include <string>
#include <vector>

#include "core/files/files.h"
#include "core/json/json.h"
#include "data/records.h"
#include "models/fixture.h"
#include "temporary_folder.h"

namespace rubric {

// Rows {passage, question, reference, candidate} and, for training, a score.
inline std::vector<data::Answer> answers_of(const Json& rows) {
  std::vector<data::Answer> answers;
  for (const Json& row : rows.array()) {
    data::Answer answer;
    answer.id = std::to_string(answers.size());
    answer.passage = row.require_string("passage", "");
    answer.question = row.require_string("question", "");
    answer.references = {row.require_string("reference", "")};
    answer.candidate = row.require_string("candidate", "");
    if (row.find("score") != nullptr) answer.score = row.require_number("score", "");
    answers.push_back(answer);
  }
  return answers;
}

// A copy of the tiny LERC in which `file` has `text` at its end, or is made with it.
inline std::filesystem::path changed_lerc(const TemporaryFolder& folder, const std::string& file,
                                          const std::string& text) {
  const std::filesystem::path directory = folder.path() / "lerc";
  std::filesystem::remove_all(directory);
  std::filesystem::copy(fixture("lerc"), directory);
  const bool is_new = !std::filesystem::exists(directory / file);
  write_file(directory / file, (is_new ? "" : read_file(directory / file)) + text);
  return directory;
}

}  // namespace rubric
