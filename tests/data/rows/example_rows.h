// What the tests of token stores share.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "core/random.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric {

// Rows of random tokens.
inline data::TokenizedAnswers example_rows(size_t count) {
  data::TokenizedAnswers answers;
  for (size_t row = 0; row < count; ++row) {
    const uint64_t bits = random_bits(1, Purpose::initialise, row);
    for (uint64_t i = 0; i <= bits % 50; ++i) {
      answers.tokens.ids.push_back(static_cast<int64_t>(below(mix(bits + i), 30522)));
      answers.tokens.segments.push_back(i > 20 ? 1 : 0);
    }
    answers.tokens.offsets.push_back(std::ssize(answers.tokens.ids));
    answers.labels.push_back(uniform(bits) * 5);
    answers.ids.push_back(row == 1 ? "" : "é-" + std::to_string(row));
    answers.constituents.emplace_back(row % 2 == 0 ? "drop" : "my own");
    answers.truncated.push_back(row % 3 == 0 ? 1 : 0);
    answers.same_answer.push_back(row % 4 == 1 ? 1 : 0);
  }
  return answers;
}

inline auto contents(const data::TokenizedAnswers& a) {
  return std::tie(a.tokens.ids, a.tokens.segments, a.tokens.offsets, a.tokens.features, a.labels,
                  a.ids, a.constituents, a.truncated, a.same_answer);
}

inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace rubric
