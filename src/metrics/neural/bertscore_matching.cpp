#include "metrics/neural/bertscore_matching.h"

#include <vector>

#include "text/unicode/strip.h"

namespace rubric {

DistinctTexts::DistinctTexts(const Tokenizer& tokenizer, int64_t max_length)
    : tokenizer_(tokenizer), max_length_(max_length) {}

int64_t DistinctTexts::add(std::string_view text) {
  const std::string_view stripped = strip(text);
  const auto [found, is_new] = known_.emplace(stripped, rows_.rows());
  if (is_new) encode(stripped);
  return found->second;
}

void DistinctTexts::encode(std::string_view stripped) {
  std::vector<int64_t> ids;
  if (!stripped.empty()) tokenizer_.encode(" " + std::string(stripped), ids);
  const auto longest = static_cast<size_t>(max_length_ - 2);
  if (ids.size() > longest) {
    ids.resize(longest);
    ++truncated_;
  }
  rows_.ids.push_back(tokenizer_.cls_id());
  rows_.ids.insert(rows_.ids.end(), ids.begin(), ids.end());
  rows_.ids.push_back(tokenizer_.sep_id());
  rows_.segments.resize(rows_.ids.size(), 0);
  rows_.offsets.push_back(static_cast<int64_t>(rows_.ids.size()));
}

}  // namespace rubric
