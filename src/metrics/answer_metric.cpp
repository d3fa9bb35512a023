#include "metrics/answer_metric.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "rubric/version.h"

namespace rubric::metrics {

namespace {

using Strings = std::span<const std::string>;

// Removes the characters of `strip` from `text`.
std::string without(std::string_view text, std::string_view strip) {
  if (strip.empty()) return std::string(text);
  std::string kept;
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    decode_utf8(text, i);
    const std::string_view character = text.substr(start, i - start);
    if (strip.find(character) == std::string_view::npos) kept += character;
  }
  return kept;
}

bool is_emptied(std::string_view text, std::string_view strip) {
  return !trim(text).empty() && trim(without(text, strip)).empty();
}

// Prefetches records ahead of row i while it is scored: first the record, then the data it points
// to. An n-gram metric takes about as long for a row as a memory access.
void fetch_ahead(std::span<const data::Answer> answers, size_t i) {
  constexpr size_t kRecord = 8, kTexts = 4;
  if (i + kRecord >= answers.size()) return;
  __builtin_prefetch(&answers[i + kRecord].candidate);
  __builtin_prefetch(&answers[i + kRecord].references);
  __builtin_prefetch(answers[i + kTexts].candidate.data());
  __builtin_prefetch(answers[i + kTexts].references.data());
}

// Calls `use` with each answer. Throws InputError with the record's name for one without reference
// and where `use` throws it; Interrupted when asked to stop.
void for_each_answer(std::span<const data::Answer> answers,
                     const std::function<void(const data::Answer&)>& use) {
  for (size_t i = 0; i < answers.size(); ++i) {
    end_if_stop_requested();
    fetch_ahead(answers, i);
    try {
      if (answers[i].references.empty()) {
        throw InputError("no reference to score against", "",
                         "give every record at least one reference");
      }
      use(answers[i]);
    } catch (const InputError& error) {
      throw InputError(error.what(), "record " + json_quote(answers[i].id));
    }
  }
}

// A metric made from a score of one candidate.
class SentenceMetric : public AnswerMetric {
 public:
  SentenceMetric(std::string name, std::string signature, SentenceScore function, std::string strip)
      : name_(std::move(name)),
        signature_(std::move(signature)),
        function_(std::move(function)),
        strip_(std::move(strip)) {}

  data::Scores score(std::span<const data::Answer> answers) override {
    data::Scores scores{{name_}, {}};
    scores.rows.reserve(answers.size());
    for_each_answer(
        answers, [&](const data::Answer& answer) { scores.rows.push_back({score_one(answer)}); });
    warn_of_emptied(answers, "candidates",
                    [](const data::Answer& answer) { return Strings(&answer.candidate, 1); });
    warn_of_emptied(answers, "references",
                    [](const data::Answer& answer) { return Strings(answer.references); });
    return scores;
  }

  std::string signature() const override {
    const std::string strip = strip_.empty() ? "" : "|strip:" + strip_;
    return name_ + signature_ + strip + "|rubric:" + version_with_build();
  }

 private:
  // Warns of records with texts that --strip empties.
  void warn_of_emptied(std::span<const data::Answer> answers, const std::string& what,
                       const std::function<Strings(const data::Answer&)>& texts_of) const {
    if (strip_.empty()) return;
    int64_t emptied = 0;
    std::vector<std::string> records;
    for (const data::Answer& answer : answers) {
      const Strings texts = texts_of(answer);
      const auto count = std::ranges::count_if(
          texts, [&](const std::string& text) { return is_emptied(text, strip_); });
      emptied += count;
      if (count > 0) records.push_back(json_quote(answer.id));
    }
    if (emptied == 0) return;
    log_warning(name_ + ": --strip leaves " + what + " empty: " + std::to_string(emptied) +
                ", in records " + join_some(records));
  }

  double score_one(const data::Answer& answer) {
    if (strip_.empty()) return function_(answer.references, answer.candidate);
    std::vector<std::string> references;
    for (const std::string& reference : answer.references) {
      references.push_back(without(reference, strip_));
    }
    return function_(references, without(answer.candidate, strip_));
  }

  std::string name_, signature_;
  SentenceScore function_;
  std::string strip_;
};

class CorpusMetric : public AnswerMetric {
 public:
  CorpusMetric(std::string name, CorpusScore score, std::string signature)
      : name_(std::move(name)), score_(std::move(score)), signature_(std::move(signature)) {}

  data::Scores score(std::span<const data::Answer> answers) override {
    references_.reset();
    data::Scores scores{{name_}, {}};
    scores.corpus_scores = [of_corpus = score_.of_corpus](std::span<const double> sums) {
      return std::vector<double>{of_corpus(sums)};
    };
    for_each_answer(answers, [&](const data::Answer& answer) {
      scores.statistics.push_back(score_.count(answer.references, answer.candidate));
      scores.rows.push_back({score_.of_row(scores.statistics.back())});
      note_references(answer.references.size());
    });
    return scores;
  }

  std::string signature() const override {
    std::string references;  // sacreBLEU's has none either before anything is scored
    if (references_) {
      references = "|nrefs:" + (references_ == kVarying ? "var" : std::to_string(*references_));
    }
    return name_ + references + signature_ + "|rubric:" + version_with_build();
  }

 private:
  static constexpr size_t kVarying = 0;

  void note_references(size_t count) {
    if (!references_) references_ = count;
    if (*references_ != count) references_ = kVarying;
  }

  std::string name_;
  CorpusScore score_;
  std::string signature_;
  std::optional<size_t> references_;  // of every row scored last
};

}  // namespace

std::unique_ptr<AnswerMetric> make_sentence_metric(std::string_view name, SentenceScore score,
                                                   const Settings& settings,
                                                   const std::string& signature) {
  return std::make_unique<SentenceMetric>(std::string(name), signature, std::move(score),
                                          settings.text(kStrip));
}

std::unique_ptr<AnswerMetric> make_corpus_metric(std::string_view name, CorpusScore score,
                                                 const std::string& signature) {
  return std::make_unique<CorpusMetric>(std::string(name), std::move(score), signature);
}

}  // namespace rubric::metrics
