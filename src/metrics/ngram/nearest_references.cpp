#include "metrics/ngram/nearest_references.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "core/text/ascii.h"
#include "core/text/number_words.h"
#include "metrics/ngram/squad.h"
#include "metrics/ngram/words.h"

namespace rubric::metrics {
namespace {

// "7" for "seven" and the word itself for others. The one of "no one" is no number.
std::string with_digits(const std::string& word, std::string_view before) {
  const std::optional<int64_t> number = parse_number_word(word);
  return number && !(word == "one" && before == "no") ? std::to_string(*number) : word;
}

ComparedWords words_of(std::string_view text) {
  ComparedWords words;
  std::string word, before;
  for (const char c : ascii_lower(text) + " ") {
    const bool is_part =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (is_part) {
      word += c;
    } else if (!word.empty()) {
      ++words.in_digits[with_digits(word, before)];
      ++words.as_written[word];
      before = std::exchange(word, "");
    }
  }
  return words;
}

int count(const WordCounts& words) {
  int sum = 0;
  for (const auto& [word, times] : words) sum += times;
  return sum;
}

// The share of the reference's words in the candidate, and of the candidate's words in the
// reference.
std::pair<double, double> overlap(const WordCounts& reference, const WordCounts& candidate) {
  int common = 0;
  for (const auto& [word, times] : reference) {
    const auto found = candidate.find(word);
    if (found != candidate.end()) common += std::min(times, found->second);
  }
  return {common / std::max(1.0, static_cast<double>(count(reference))),
          common / std::max(1.0, static_cast<double>(count(candidate)))};
}

}  // namespace

std::string normalize_numbers(std::string_view text) {
  std::string result, before;
  const std::string normalised = normalize_answer(text);
  if (normalised.empty()) return result;
  split_at_spaces(normalised, [&](std::string_view word) {
    if (!result.empty()) result += ' ';
    result += with_digits(std::string(word), before);
    before = word;
  });
  return result;
}

ReferenceOrder::ReferenceOrder(std::span<const std::string> references) {
  for (const std::string& reference : references) {
    references_.push_back(
        {.words = words_of(reference), .normalised = normalize_numbers(reference)});
  }
}

std::vector<size_t> ReferenceOrder::nearest(std::string_view candidate) const {
  const ComparedWords words = words_of(candidate);
  using Nearness = std::pair<std::pair<double, double>, std::pair<double, double>>;
  std::vector<std::pair<Nearness, size_t>> found;
  for (size_t i = 0; i < references_.size(); ++i) {
    const ComparedWords& reference = references_[i].words;
    found.emplace_back(Nearness(overlap(reference.in_digits, words.in_digits),
                                overlap(reference.as_written, words.as_written)),
                       i);
  }
  std::ranges::stable_sort(found, std::greater<>(), [](const auto& one) { return one.first; });
  std::set<std::string_view> known;
  std::vector<size_t> order;
  for (const auto& [near, i] : found) {
    if (known.insert(references_[i].normalised).second) order.push_back(i);
  }
  return order;
}

std::vector<size_t> nearest_references(const data::Answer& answer) {
  return ReferenceOrder(answer.references).nearest(answer.candidate);
}

}  // namespace rubric::metrics
