// Token F1 and exact match as SQuAD's evaluation scripts compute them, and, for long answers,
// token recall and containment of the reference.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/answer_metric.h"
#include "rubric/scoring.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {

using text::normalize_answer;

// Number of words that two normalised texts share, with multiplicity, and number of words of each.
struct WordOverlap {
  double common = 0, candidate = 0, reference = 0;
};
WordOverlap word_overlap(std::string_view candidate, std::string_view reference);

// F1 and recall of a reference by its overlap, in [0, 1]; 0 without common words.
double f1_of(const WordOverlap& overlap);
double recall_of(const WordOverlap& overlap);

// The maximum over the references, in [0, 1]. The one reference "" says that there is no
// answer, as in v2.0: F1 is 1 for a
// candidate that is empty after normalisation. Other two texts that are empty after it have exact
// match 1 and F1 0, as in the script of v1.1. `references` must not be empty.
double squad_f1(std::span<const std::string> references, std::string_view candidate);
double squad_exact_match(std::span<const std::string> references, std::string_view candidate);

// The maximum over the references, on words normalised in the same way. Token recall: the share of
// the reference's words, with multiplicity, that the candidate contains (Adlakha et al. 2024).
// Contains: 1 if the reference's words occur in the candidate consecutively and in order. A
// reference of which normalisation leaves nothing ("A", "The The", "=") is compared with its
// articles and punctuation (text::keep_articles), as the candidate is then; the article in "since a
// dog barks" is not the choice "A". Both are
// 1 for no answer, as f1 is, and else 0 for an empty reference.
double token_recall(std::span<const std::string> references, std::string_view candidate);
double contains_answer(std::span<const std::string> references, std::string_view candidate);

// A question of SQuAD 2.0 and its score when its candidate stands as it is.
struct NoAnswerQuestion {
  double probability = 0;  // that it has no answer
  double score = 0;
  bool has_answer = false;
  bool is_answered = false;  // the candidate is a text, not ""
};

// The threshold with the highest mean score, when questions of a higher probability are answered
// with "no answer" (evaluate-v2.0.py, find_best_thresh). As there, a text to an unanswerable
// question loses a point even where nothing of it is left after normalisation, and of questions
// with the same probability each is tried in turn. `questions` must not be empty.
NoAnswerThreshold best_no_answer_threshold(std::vector<NoAnswerQuestion> questions);

// The metrics. Their own normalisation removes punctuation, so that they have no setting.

std::unique_ptr<AnswerMetric> make_f1(const Settings& settings);
std::unique_ptr<AnswerMetric> make_exact_match(const Settings& settings);
std::unique_ptr<AnswerMetric> make_recall(const Settings& settings);
std::unique_ptr<AnswerMetric> make_contains(const Settings& settings);

inline constexpr std::string_view kF1Aliases[] = {"token_f1"};
inline constexpr MetricKind kF1 = {.name = "f1",
                                   .summary = "token F1, as SQuAD v1.1's script computes it",
                                   .aliases = kF1Aliases,
                                   .make = make_f1,
                                   .normalises_as_squad = true,
                                   .example = "score f1"};
inline constexpr std::string_view kExactMatchAliases[] = {"exact_match"};
inline constexpr MetricKind kExactMatch = {
    .name = "em",
    .summary = "exact match after normalisation, as SQuAD v1.1's script computes it",
    .aliases = kExactMatchAliases,
    .make = make_exact_match,
    .normalises_as_squad = true,
    .example = "score em"};
inline constexpr MetricKind kRecall = {
    .name = "recall",
    .summary = "share of the reference's words that the candidate has (Adlakha et al. 2024)",
    .make = make_recall,
    .normalises_as_squad = true,
    .example = "score recall"};
inline constexpr MetricKind kContains = {
    .name = "contains",
    .summary = "whether the candidate contains the reference's words consecutively",
    .make = make_contains,
    .normalises_as_squad = true,
    .example = "score contains"};

}  // namespace rubric::metrics
