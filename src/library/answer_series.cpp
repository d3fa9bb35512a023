#include "library/answer_series.h"

#include <algorithm>
#include <cstdint>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "metrics/ngram/squad.h"

namespace rubric::library {
namespace {

// Whether f1 compares texts without words: a choice called "A" is an article. As in SQuAD v1.1's
// script their F1 is 0, where exact match is 1. Only short texts can be without words.
bool has_articles_alone(const Answer& answer) {
  constexpr size_t kLongest = 8;
  const auto has_no_word = [](const std::string& text) {
    return !text.empty() && text.size() <= kLongest && text::normalize_answer(text).empty();
  };
  return has_no_word(answer.candidate) && std::ranges::any_of(answer.references, has_no_word);
}

bool is_empty(const std::string& text) {
  return trim(text).empty();
}

}  // namespace

AnswerSeries::AnswerSeries(std::span<const std::unique_ptr<metrics::AnswerMetric>> metrics)
    : metrics_(metrics), totals_(metrics.size()) {
  for (const auto& metric : metrics_) metric->begin();
}

void AnswerSeries::add(std::span<const Answer> answers, const UseScores& use) {
  std::vector<uint32_t> questions;
  questions.reserve(answers.size());
  for (const Answer& answer : answers) questions.push_back(questions_.number(answer));
  for (size_t i = 0; i < metrics_.size(); ++i) {
    const Scores scores = metrics_[i]->score_part(answers);
    totals_[i].add(scores, questions);
    use(i, scores);
  }
  const bool scores_f1 = std::ranges::any_of(totals_, [](const ScoreTotals& totals) {
    return std::ranges::count(totals.names(), metrics::kF1.name) > 0;
  });
  for (const Answer& answer : answers) {
    if (scores_f1 && has_articles_alone(answer)) articles_.push_back(json_quote(answer.id));
  }
}

std::vector<FileScore> AnswerSeries::finish() {
  std::vector<std::string> signatures;
  for (size_t i = 0; i < metrics_.size(); ++i) {
    metrics_[i]->finish();
    signatures.push_back(metrics_[i]->signature());
  }
  if (!articles_.empty()) {
    log_warning(
        "f1 of texts without a word but articles, such as the choice \"A\", is 0, as in SQuAD "
        "v1.1; em compares them: " +
        join_some(articles_));
  }
  std::vector<FileScore> scores = scores_over_rows(totals_, signatures);
  auto score = scores.begin();
  for (size_t i = 0; i < metrics_.size(); ++i) {
    for (size_t name = 0; name < totals_[i].names().size(); ++name) {
      (score++)->right = metrics_[i]->right();
    }
  }
  return scores;
}

void EmptyTexts::note(std::span<const Answer> answers) {
  for (const Answer& answer : answers) {
    if (is_empty(answer.candidate)) candidates_.push_back(json_quote(answer.id));
    if (std::ranges::all_of(answer.references, is_empty)) {
      references_.push_back(json_quote(answer.id));
    }
  }
}

void EmptyTexts::warn() const {
  const auto tell = [](const std::vector<std::string>& records, const std::string& lack) {
    if (records.empty()) return;
    log_warning(counted(std::ssize(records), "row has", "rows have") + " " + lack + " and " +
                (records.size() == 1 ? "is" : "are") + " scored all the same: id " +
                join_some(records));
  };
  tell(candidates_, "an empty candidate");
  tell(references_, "an empty reference and no other");
}

}  // namespace rubric::library
