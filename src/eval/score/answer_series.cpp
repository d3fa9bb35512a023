#include "eval/score/answer_series.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/field_text.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "data/model_files/seen_questions.h"
#include "data/rows/seen_rows.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/list.h"
#include "text/bare_answers.h"
#include "text/unicode/unicode.h"

namespace rubric::eval {
namespace {

// Whether SQuAD's normalisation leaves nothing of a text: the choice "A" is an article.
bool is_without_words(const std::string& text) {
  return text::has_text(text) && text::normalize_answer(text).empty();
}

// Whether most letters and digits of a text are not of ASCII.
bool is_in_other_script(const std::string& text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) return false;
  int64_t read = 0, others = 0;
  for (const char32_t c : decode_utf8(text)) {
    if (text::is_letter(c) || text::is_number(c)) ++(c < 0x80 ? read : others);
  }
  return others > read;
}

bool is_empty(const std::string& text) {
  return !text::has_text(text);
}

// Several rows may have one id: systems that answer one question.
std::string names_of_distinct(const std::vector<std::string>& names) {
  std::set<std::string_view> known;
  std::vector<std::string> distinct;
  std::ranges::copy_if(names, std::back_inserter(distinct),
                       [&](const std::string& name) { return known.insert(name).second; });
  return data::names_text(std::move(distinct));
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
  const bool is_normalised = has_metric(&metrics::MetricKind::normalises_as_squad),
             is_ascii_read = has_metric(&metrics::MetricKind::reads_ascii_alone);
  for (const Answer& answer : answers) {
    if (is_normalised) note(answer, is_without_words, without_words_);
    if (is_ascii_read) note(answer, is_in_other_script, in_other_scripts_);
  }
}

void AnswerSeries::note(const Answer& answer, bool (*is_unread)(const std::string& reference),
                        UnreadReferences& unread) {
  const int64_t count = std::ranges::count_if(answer.references, is_unread);
  if (count == 0) return;
  if (unread.count == 0) unread.example = *std::ranges::find_if(answer.references, is_unread);
  unread.count += count;
  unread.records.push_back(data::record_name(answer));
}

bool AnswerSeries::has_metric(bool metrics::MetricKind::*property) const {
  return std::ranges::any_of(metrics::kMetrics, [&](const metrics::MetricKind* kind) {
    return kind->*property && std::ranges::any_of(totals_, [&](const ScoreTotals& totals) {
             return std::ranges::count(totals.names(), kind->name) > 0;
           });
  });
}

std::vector<FileScore> AnswerSeries::finish() {
  std::vector<std::string> signatures;
  for (const auto& metric : metrics_) {
    metric->finish();
    signatures.push_back(metric->signature());
  }
  if (without_words_.count > 0) {
    log_warning("SQuAD's normalisation drops articles and punctuation, and leaves nothing of " +
                counted(without_words_.count, "reference", "references") + own_field("reference") +
                ", such as \"A\" or \"=\". For these f1 is always 0; em is 1 if nothing is left of "
                "the candidate either. recall, contains and lerc keep articles and punctuation "
                "there: " +
                names_of_distinct(without_words_.records));
  }
  if (in_other_scripts_.count > 0) {
    log_warning(
        "ROUGE reads the letters a to z and digits alone, and drops most of " +
        counted(in_other_scripts_.count, "reference", "references") + own_field("reference") +
        ", such as " + json_quote(in_other_scripts_.example) +
        ": where nothing is left of a text its scores are 0, also of equal texts; chrf reads "
        "every script: " +
        names_of_distinct(in_other_scripts_.records));
  }
  std::vector<FileScore> scores = scores_over_rows(totals_, signatures, questions_.order());
  auto score = scores.begin();
  for (size_t i = 0; i < metrics_.size(); ++i) {
    const data::SeenRows& seen = metrics_[i]->seen();
    warn_of_seen(totals_[i].names().front(), seen, totals_[i].rows());
    for (size_t name = 0; name < totals_[i].names().size(); ++name, ++score) {
      score->correct = metrics_[i]->right();
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
    if (is_empty(answer.candidate)) candidates_.push_back(data::record_name(answer));
    if (std::ranges::all_of(answer.references, is_empty)) {
      references_.push_back(data::record_name(answer));
    }
  }
}

void EmptyTexts::warn() const {
  const auto tell = [](const std::vector<std::string>& records, const std::string& lack) {
    if (records.empty()) return;
    const bool one = records.size() == 1;
    log_warning(counted(std::ssize(records), "row has", "rows have") + " " + lack + " and " +
                (one ? "is scored as an empty text" : "are scored as empty texts") + ": " +
                names_of_distinct(records));
  };
  tell(candidates_, "an empty candidate" + own_field("candidate"));
  tell(references_, "an empty reference" + own_field("reference") + " and no other");
}

}  // namespace rubric::eval
