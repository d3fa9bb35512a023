#include "library/answer_series.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/model_files/seen_questions.h"
#include "data/rows/seen_rows.h"
#include "metrics/list.h"
#include "text/bare_answers.h"

namespace rubric::library {
namespace {

bool normalises_as_squad(std::string_view metric) {
  return std::ranges::any_of(metrics::kMetrics, [&](const metrics::MetricKind* kind) {
    return kind->name == metric && kind->normalises_as_squad;
  });
}

// The number of references of which that normalisation leaves nothing: the choice "A" is an
// article.
int64_t references_without_words(const Answer& answer) {
  return std::ranges::count_if(answer.references, [](const std::string& text) {
    return text::has_text(text) && text::normalize_answer(text).empty();
  });
}

bool is_empty(const std::string& text) {
  return !text::has_text(text);
}

// Several rows may have one id: systems that answer one question.
std::string join_distinct(const std::vector<std::string>& ids) {
  std::set<std::string_view> known;
  std::vector<std::string> distinct;
  std::ranges::copy_if(ids, std::back_inserter(distinct),
                       [&](const std::string& id) { return known.insert(id).second; });
  return join_some(std::move(distinct));
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
  const bool is_normalised = std::ranges::any_of(totals_, [](const ScoreTotals& totals) {
    return std::ranges::any_of(totals.names(), normalises_as_squad);
  });
  if (!is_normalised) return;
  for (const Answer& answer : answers) {
    const int64_t references = references_without_words(answer);
    if (references > 0) without_words_.push_back(json_quote(answer.id));
    references_without_words_ += references;
  }
}

std::vector<FileScore> AnswerSeries::finish() {
  std::vector<std::string> signatures;
  for (const auto& metric : metrics_) {
    metric->finish();
    signatures.push_back(metric->signature());
  }
  if (!without_words_.empty()) {
    log_warning("SQuAD's normalisation drops articles and punctuation, and leaves nothing of " +
                counted(references_without_words_, "reference", "references") +
                ", such as \"A\" or \"=\". For these f1 is always 0; em is 1 if nothing is left of "
                "the candidate either. recall, contains and lerc keep articles and punctuation "
                "there: id " +
                join_distinct(without_words_));
  }
  std::vector<FileScore> scores = scores_over_rows(totals_, signatures, questions_.order());
  auto score = scores.begin();
  for (size_t i = 0; i < metrics_.size(); ++i) {
    const data::SeenRows& seen = metrics_[i]->seen();
    warn_of_seen(totals_[i].names().front(), seen, totals_[i].rows());
    for (size_t name = 0; name < totals_[i].names().size(); ++name, ++score) {
      score->right = metrics_[i]->right();
      score->trained_on = seen.trained;
      score->tuned_on = seen.tuned;
    }
  }
  return scores;
}

void warn_of_seen(const std::string& metric, const data::SeenRows& seen, int64_t rows) {
  std::vector<std::string> counts;
  const auto count = [&](const char* how, const std::vector<size_t>& of_these) {
    if (of_these.empty()) return;
    counts.push_back(how + std::string(" on the questions of ") +
                     data::share_text(std::ssize(of_these), rows) + " of the rows (" +
                     std::to_string(of_these.size()) + " of " + std::to_string(rows) + ")");
  };
  count(data::kSeenTrained, seen.trained);
  count(data::kSeenTuned, seen.tuned);
  if (counts.empty()) return;
  log_warning(metric + ": its model was " + join(counts, " and ") +
              ", so these scores do not show how it scores new questions; evaluate agreement also "
              "prints the values on the rows with unseen questions");
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
    const bool one = records.size() == 1;
    log_warning(counted(std::ssize(records), "row has", "rows have") + " " + lack + " and " +
                (one ? "is scored as an empty text" : "are scored as empty texts") + ": id " +
                join_distinct(records));
  };
  tell(candidates_, "an empty candidate");
  tell(references_, "an empty reference and no other");
}

}  // namespace rubric::library
