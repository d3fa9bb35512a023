#include "metrics/ngram/squad.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "metrics/ngram/words.h"
#include "text/bare_answers.h"

namespace rubric::metrics {

double f1_of(const WordOverlap& overlap) {
  if (!(overlap.common > 0)) return 0;
  const double precision = overlap.common / overlap.candidate,
               recall = overlap.common / overlap.reference;
  return 2 * precision * recall / (precision + recall);
}

double recall_of(const WordOverlap& overlap) {
  return overlap.common > 0 ? overlap.common / overlap.reference : 0;
}

namespace {

// Calls `use` with each word of a normalised text.
constexpr auto kSplit = [](std::string_view normalized, const auto& use) {
  if (!normalized.empty()) split_at_spaces(normalized, use);
};

// Whether the references say that there is no answer.
bool is_no_answer(std::span<const std::string> references) {
  return references.size() == 1 && references.front().empty();
}

// A candidate and its references, normalised. Reuses memory between rows, and the references while
// they stay the same.
class NormalizedAnswer {
 public:
  void read(std::span<const std::string> references, std::string_view candidate) {
    normalize_answer(candidate, candidate_);
    if (std::ranges::equal(references, given_)) return;
    given_.assign(references.begin(), references.end());
    references_.resize(references.size());
    for (size_t i = 0; i < references.size(); ++i) normalize_answer(references[i], references_[i]);
  }

  std::span<const std::string> references() const { return references_; }
  const std::string& candidate() const { return candidate_; }

 private:
  std::vector<std::string> given_, references_;
  std::string candidate_;
};

// The overlap of a candidate with each reference, both normalised.
class WordOverlaps {
 public:
  void read(std::span<const std::string> references, std::string_view candidate) {
    if (references_.read(references, kSplit)) counts_.assign(references_.distinct_words(), 0);
    known_.clear();
    words_ = 0;
    kSplit(candidate, [&](std::string_view word) {
      ++words_;
      const uint32_t number = references_.find(word);
      if (number != kNoId) known_.push_back(number);
    });
  }

  WordOverlap operator[](size_t reference) {
    const std::span<const uint32_t> wanted = references_[reference];
    for (const uint32_t word : wanted) ++counts_[word];
    size_t common = 0;
    for (const uint32_t word : known_) {
      if (counts_[word] == 0) continue;
      --counts_[word];
      ++common;
    }
    for (const uint32_t word : wanted) counts_[word] = 0;
    return {static_cast<double>(common), static_cast<double>(words_),
            static_cast<double>(wanted.size())};
  }

  size_t size() const { return references_.size(); }

 private:
  ReferenceWords references_;
  std::vector<uint32_t> known_;   // the candidate's words that occur in a reference
  std::vector<uint32_t> counts_;  // by word; zero between calls
  size_t words_ = 0;              // of the candidate
};

// The maximum of a score over the references; 0 without common words.
template <double (*score_of_overlap)(const WordOverlap& overlap)>
class BestOverlap {
 public:
  double score(std::span<const std::string> references, std::string_view candidate) {
    answer_.read(references, candidate);
    overlaps_.read(answer_.references(), answer_.candidate());
    double best = 0;
    for (size_t i = 0; i < overlaps_.size(); ++i) {
      best = std::max(best, score_of_overlap(overlaps_[i]));
    }
    return best;
  }

  std::span<const std::string> references() const { return answer_.references(); }  // normalised

 private:
  NormalizedAnswer answer_;
  WordOverlaps overlaps_;
};

// The best score of the references of which normalisation leaves nothing, "A" and "=". They and the
// candidate are compared with their articles and punctuation.
template <class Score>
double best_with_articles(std::span<const std::string> references,
                          std::span<const std::string> normalized, std::string_view candidate,
                          const Score& score) {
  double best = 0;
  for (size_t i = 0; i < references.size(); ++i) {
    if (!normalized[i].empty()) continue;
    const std::string reference = text::keep_articles(references[i]);
    if (reference.empty()) continue;
    best = std::max<double>(best, score(text::keep_articles(candidate, references[i]), reference));
  }
  return best;
}

bool has_words(std::string_view text, std::string_view words) {
  // Blanks around both, so that only whole words are found.
  return (" " + std::string(text) + " ").find(" " + std::string(words) + " ") != std::string::npos;
}

class SquadF1 {
 public:
  double score(std::span<const std::string> references, std::string_view candidate) {
    if (is_no_answer(references)) return normalize_answer(candidate).empty() ? 1 : 0;
    return best_.score(references, candidate);
  }

 private:
  BestOverlap<f1_of> best_;
};

class ExactMatch {
 public:
  double score(std::span<const std::string> references, std::string_view candidate) {
    answer_.read(references, candidate);
    return std::ranges::count(answer_.references(), answer_.candidate()) > 0 ? 1 : 0;
  }

 private:
  NormalizedAnswer answer_;
};

class Recall {
 public:
  double score(std::span<const std::string> references, std::string_view candidate) {
    if (is_no_answer(references)) return normalize_answer(candidate).empty() ? 1 : 0;
    const double best = best_.score(references, candidate);
    const auto recall = [](std::string_view text, std::string_view reference) {
      return recall_of(word_overlap(text, reference));
    };
    return std::max(best, best_with_articles(references, best_.references(), candidate, recall));
  }

 private:
  BestOverlap<recall_of> best_;
};

class Containment {
 public:
  double score(std::span<const std::string> references, std::string_view candidate) {
    if (is_no_answer(references)) return normalize_answer(candidate).empty() ? 1 : 0;
    answer_.read(references, candidate);
    const bool is_there =
        std::ranges::any_of(answer_.references(), [&](const std::string& reference) {
          return !reference.empty() && has_words(answer_.candidate(), reference);
        });
    return is_there ? 1
                    : best_with_articles(references, answer_.references(), candidate, has_words);
  }

 private:
  NormalizedAnswer answer_;
};

}  // namespace

WordOverlap word_overlap(std::string_view candidate, std::string_view reference) {
  const std::string references[] = {std::string(reference)};
  WordOverlaps overlaps;
  overlaps.read(references, candidate);
  return overlaps[0];
}

double squad_f1(std::span<const std::string> references, std::string_view candidate) {
  return SquadF1().score(references, candidate);
}

double squad_exact_match(std::span<const std::string> references, std::string_view candidate) {
  return ExactMatch().score(references, candidate);
}

double token_recall(std::span<const std::string> references, std::string_view candidate) {
  return Recall().score(references, candidate);
}

double contains_answer(std::span<const std::string> references, std::string_view candidate) {
  return Containment().score(references, candidate);
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
  return make_sentence_metric(kF1.name, scorer_maker<SquadF1>(), {}, kNormalised);
}

std::unique_ptr<AnswerMetric> make_exact_match(const Settings&) {
  return make_sentence_metric(kExactMatch.name, scorer_maker<ExactMatch>(), {}, kNormalised);
}

std::unique_ptr<AnswerMetric> make_recall(const Settings&) {
  return make_sentence_metric(kRecall.name, scorer_maker<Recall>(), {}, kNormalised);
}

std::unique_ptr<AnswerMetric> make_contains(const Settings&) {
  return make_sentence_metric(kContains.name, scorer_maker<Containment>(), {}, kNormalised);
}

}  // namespace rubric::metrics
