#include "metrics/ngram/squad.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace rubric::metrics {
namespace {

using Words = std::vector<std::string_view>;

size_t common_words(const Words& a, const Words& b) {  // both must be sorted
  Words common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common.size();
}

Words words_of(std::string_view normalized) {
  Words words;
  while (!normalized.empty()) {
    const size_t end = std::min(normalized.find(' '), normalized.size());
    words.push_back(normalized.substr(0, end));
    normalized.remove_prefix(std::min(end + 1, normalized.size()));
  }
  return words;
}

Words sorted_words(std::string_view normalized) {
  Words words = words_of(normalized);
  std::sort(words.begin(), words.end());
  return words;
}

// Whether the references say that there is no answer.
bool is_no_answer(std::span<const std::string> references) {
  return references.size() == 1 && references.front().empty();
}

// The maximum score of an overlap over the references; 0 without common words.
template <class Score>
double best_overlap(std::span<const std::string> references, std::string_view candidate,
                    const Score& score) {
  const std::string normalized = normalize_answer(candidate);
  double best = 0;
  for (const std::string& reference : references) {
    const WordOverlap overlap = word_overlap(normalized, normalize_answer(reference));
    if (overlap.common > 0) best = std::max(best, score(overlap));
  }
  return best;
}

}  // namespace

WordOverlap word_overlap(std::string_view candidate, std::string_view reference) {
  const Words words = sorted_words(candidate), wanted = sorted_words(reference);
  return {static_cast<double>(common_words(words, wanted)), static_cast<double>(words.size()),
          static_cast<double>(wanted.size())};
}

double squad_f1(std::span<const std::string> references, std::string_view candidate) {
  if (is_no_answer(references)) return normalize_answer(candidate).empty() ? 1 : 0;
  return best_overlap(references, candidate, [](const WordOverlap& overlap) {
    const double precision = overlap.common / overlap.candidate,
                 recall = overlap.common / overlap.reference;
    return 2 * precision * recall / (precision + recall);
  });
}

double squad_exact_match(std::span<const std::string> references, std::string_view candidate) {
  const std::string normalized = normalize_answer(candidate);
  return std::any_of(references.begin(), references.end(), [&](const std::string& reference) {
    return normalize_answer(reference) == normalized;
  });
}

double token_recall(std::span<const std::string> references, std::string_view candidate) {
  return best_overlap(references, candidate, [](const WordOverlap& overlap) {
    return overlap.common / overlap.reference;
  });
}

double contains_answer(std::span<const std::string> references, std::string_view candidate) {
  const std::string normalized = normalize_answer(candidate);
  const Words words = words_of(normalized);
  return std::any_of(references.begin(), references.end(), [&](const std::string& reference) {
    const std::string normalized_reference = normalize_answer(reference);
    const Words wanted = words_of(normalized_reference);
    return !wanted.empty() &&
           std::search(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end();
  });
}

NoAnswerThreshold best_no_answer_threshold(std::vector<NoAnswerQuestion> questions) {
  std::ranges::stable_sort(questions, {}, &NoAnswerQuestion::probability);
  double total =
      static_cast<double>(std::ranges::count(questions, false, &NoAnswerQuestion::has_answer));
  NoAnswerThreshold best = {.value = total, .threshold = 0};  // no question is answered
  for (const NoAnswerQuestion& question : questions) {
    total += question.has_answer ? question.score : (question.is_answered ? -1 : 0);
    if (total > best.value) best = {.value = total, .threshold = question.probability};
  }
  best.value /= static_cast<double>(questions.size());
  return best;
}

// Lower case, without punctuation and articles, as SQuAD's script makes texts.
constexpr const char* kNormalised = "|case:lc|tok:squad";

std::unique_ptr<AnswerMetric> make_f1(const Settings&) {
  return make_sentence_metric(kF1.name, squad_f1, {}, kNormalised);
}

std::unique_ptr<AnswerMetric> make_exact_match(const Settings&) {
  return make_sentence_metric(kExactMatch.name, squad_exact_match, {}, kNormalised);
}

std::unique_ptr<AnswerMetric> make_recall(const Settings&) {
  return make_sentence_metric(kRecall.name, token_recall, {}, kNormalised);
}

std::unique_ptr<AnswerMetric> make_contains(const Settings&) {
  return make_sentence_metric(kContains.name, contains_answer, {}, kNormalised);
}

}  // namespace rubric::metrics
