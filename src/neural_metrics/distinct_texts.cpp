#include "neural_metrics/distinct_texts.h"

#include <vector>

#include "core/utf8.h"
#include "text/unicode.h"

namespace rubric {
namespace {

std::string_view strip(std::string_view text) {
  for (size_t next = 0; !text.empty() && is_python_space(decode_utf8(text, next)); next = 0) {
    text.remove_prefix(next);
  }
  for (size_t end = text.size(); end > 0 && is_python_space(decode_utf8_backwards(text, end));) {
    text = text.substr(0, end);
  }
  return text;
}

}  // namespace

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
