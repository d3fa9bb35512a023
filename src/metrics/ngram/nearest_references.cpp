#include "metrics/ngram/nearest_references.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/text/ascii.h"
#include "metrics/ngram/squad.h"

namespace rubric::metrics {
namespace {

using Words = std::map<std::string, int>;  // words and their counts

Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (const char c : ascii_lower(text) + " ") {
    const bool is_part =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (is_part) {
      word += c;
    } else if (!word.empty()) {
      ++words[std::exchange(word, "")];
    }
  }
  return words;
}

int count(const Words& words) {
  int sum = 0;
  for (const auto& [word, times] : words) sum += times;
  return sum;
}

// The share of the reference's words in the candidate, and of the candidate's words in the
// reference.
std::pair<double, double> overlap(const Words& reference, const Words& candidate) {
  int common = 0;
  for (const auto& [word, times] : reference) {
    const auto found = candidate.find(word);
    if (found != candidate.end()) common += std::min(times, found->second);
  }
  return {common / std::max(1.0, static_cast<double>(count(reference))),
          common / std::max(1.0, static_cast<double>(count(candidate)))};
}

}  // namespace

ReferenceOrder::ReferenceOrder(std::span<const std::string> references) {
  for (const std::string& reference : references) {
    words_.push_back(words_of(reference));
    normalised_.push_back(normalize_answer(reference));
  }
}

std::vector<size_t> ReferenceOrder::nearest(std::string_view candidate) const {
  const Words words = words_of(candidate);
  std::vector<std::pair<std::pair<double, double>, size_t>> found;
  for (size_t i = 0; i < words_.size(); ++i) found.emplace_back(overlap(words_[i], words), i);
  std::ranges::stable_sort(found, std::greater<>(), [](const auto& one) { return one.first; });
  std::set<std::string_view> known;
  std::vector<size_t> order;
  for (const auto& [near, i] : found) {
    if (known.insert(normalised_[i]).second) order.push_back(i);
  }
  return order;
}

std::vector<size_t> nearest_references(const data::Answer& answer) {
  return ReferenceOrder(answer.references).nearest(answer.candidate);
}

}  // namespace rubric::metrics
