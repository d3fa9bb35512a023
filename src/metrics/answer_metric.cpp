#include "metrics/answer_metric.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/field_text.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/parallel.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "data/tokens/tokenized_answers.h"
#include "rubric/version.h"

namespace rubric::metrics {

namespace {

// Removes the characters of `strip` from `text`.
std::string without(std::string_view text, std::string_view strip) {
  std::string kept;
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    decode_utf8(text, i);
    const std::string_view character = text.substr(start, i - start);
    if (strip.find(character) == std::string_view::npos) kept += character;
  }
  return kept;
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

// Roughly, from the first rows. F1, the fastest metric, takes 0.5 us for 100 bytes.
size_t operations_of(std::span<const data::Answer> answers) {
  constexpr size_t kRead = 256, kOperationsOfAByte = 15;
  const auto first = answers.first(std::min(kRead, answers.size()));
  size_t bytes = 0;
  for (const data::Answer& answer : first) {
    bytes += answer.candidate.size();
    for (const std::string& reference : answer.references) bytes += reference.size();
  }
  return bytes * kOperationsOfAByte * answers.size() / std::max<size_t>(1, first.size());
}

// A pool of scorers: a thread takes one and gives it back with what it remembers.
template <class Scorer>
class ScorersOfThreads {
 public:
  explicit ScorersOfThreads(std::function<Scorer()> make) : make_(std::move(make)) {}

  // Calls use(scorer, i) for each answer, on all cores. Throws InputError with the record's name
  // for one without reference and where `use` throws it, of several the first; Interrupted when
  // asked to stop. Once an answer is refused, none after it is begun; those before it are, so that
  // the first is named.
  void for_each(std::span<const data::Answer> answers,
                const std::function<void(const Scorer& scorer, size_t i)>& use) {
    std::atomic<size_t> failed = answers.size();  // the first that is refused
    parallel_for(answers.size(), operations_of(answers), [&](size_t first, size_t end) {
      Scorer scorer = take();
      for (size_t i = first; i < end && i < failed; ++i) {
        end_if_stop_requested();
        fetch_ahead(answers, i);
        try {
          if (answers[i].references.empty()) {
            throw InputError("no reference" + own_field("reference") + " to score against", "",
                             "give every record at least one reference");
          }
          use(scorer, i);
        } catch (const InputError& error) {
          for (size_t known = failed; i < known && !failed.compare_exchange_weak(known, i);) {
          }
          throw InputError(error.what(), data::named_record(answers[i]));
        }
      }
      give_back(std::move(scorer));
    });
  }

 private:
  Scorer take() {
    std::unique_lock lock(mutex_);
    if (idle_.empty()) {
      lock.unlock();
      return make_();
    }
    Scorer scorer = std::move(idle_.back());
    idle_.pop_back();
    return scorer;
  }

  void give_back(Scorer scorer) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scorer));
  }

  std::function<Scorer()> make_;
  std::mutex mutex_;
  std::vector<Scorer> idle_;
};

// What scores row after row.
class RowMetric : public AnswerMetric {
 public:
  data::Scores score(std::span<const data::Answer> answers) final {
    begin();
    data::Scores scores = score_part(answers);
    finish();
    return scores;
  }
};

// A metric made from a score of one candidate.
class SentenceMetric : public RowMetric {
 public:
  SentenceMetric(std::string name, std::string signature, MakeSentenceScore make, std::string strip)
      : name_(std::move(name)),
        signature_(std::move(signature)),
        scorers_(std::move(make)),
        strip_(std::move(strip)) {}

  void begin() override {
    candidates_ = {};
    references_ = {};
  }

  data::Scores score_part(std::span<const data::Answer> answers) override {
    data::Scores scores{{name_}, {}};
    scores.rows.resize(answers.size());
    if (strip_.empty()) {
      scorers_.for_each(answers, [&](const SentenceScore& score, size_t i) {
        scores.rows[i] = {score(answers[i].references, answers[i].candidate)};
      });
      return scores;
    }
    std::vector<Stripped> stripped(answers.size());
    scorers_.for_each(answers, [&](const SentenceScore& score, size_t i) {
      scores.rows[i] = {score_stripped(score, answers[i], stripped[i])};
    });
    for (size_t i = 0; i < answers.size(); ++i) {
      candidates_.add(stripped[i].candidates, answers[i]);
      references_.add(stripped[i].references, answers[i]);
    }
    return scores;
  }

  void finish() override {
    warn_of_emptied("candidates", candidates_);
    warn_of_emptied("references", references_);
  }

  std::string signature() const override {
    const std::string strip = strip_.empty() ? "" : "|strip:" + signature_text(strip_);
    return name_ + signature_ + strip + "|rubric:" + version_with_build();
  }

 private:
  // How many texts of a record --strip empties.
  struct Stripped {
    int candidates = 0, references = 0;
  };

  // Texts that --strip empties, and the records that have them.
  struct Emptied {
    int64_t texts = 0;
    std::vector<std::string> records = {};

    void add(int count, const data::Answer& answer) {
      texts += count;
      if (count > 0) records.push_back(data::record_name(answer));
    }
  };

  void warn_of_emptied(const std::string& what, const Emptied& emptied) const {
    if (emptied.texts == 0) return;
    log_warning(name_ + ": --strip leaves " + what + " empty: " + std::to_string(emptied.texts) +
                ", in " + data::names_text(emptied.records, "records"));
  }

  double score_stripped(const SentenceScore& score, const data::Answer& answer,
                        Stripped& stripped) const {
    const auto strip = [&](const std::string& text, int& emptied) {
      std::string kept = without(text, strip_);
      if (trim(kept).empty() && !trim(text).empty()) ++emptied;
      return kept;
    };
    std::vector<std::string> references;
    for (const std::string& reference : answer.references) {
      references.push_back(strip(reference, stripped.references));
    }
    return score(references, strip(answer.candidate, stripped.candidates));
  }

  std::string name_, signature_;
  ScorersOfThreads<SentenceScore> scorers_;
  std::string strip_;
  Emptied candidates_, references_;
};

class CorpusMetric : public RowMetric {
 public:
  CorpusMetric(std::string name, CorpusScore score, std::string signature)
      : name_(std::move(name)),
        counters_(std::move(score.make_count)),
        of_row_(std::move(score.of_row)),
        of_corpus_(std::move(score.of_corpus)),
        signature_(std::move(signature)) {}

  void begin() override { references_.reset(); }

  data::Scores score_part(std::span<const data::Answer> answers) override {
    data::Scores scores{{name_}, {}};
    scores.corpus_scores = [of_corpus = of_corpus_](std::span<const double> sums) {
      return std::vector<double>{of_corpus(sums)};
    };
    scores.statistics.resize(answers.size());
    scores.rows.resize(answers.size());
    counters_.for_each(answers, [&](const SentenceCounts& count, size_t i) {
      scores.statistics[i] = count(answers[i].references, answers[i].candidate);
      scores.rows[i] = {of_row_(scores.statistics[i])};
    });
    for (const data::Answer& answer : answers) note_references(answer.references.size());
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
  ScorersOfThreads<SentenceCounts> counters_;
  std::function<double(std::span<const double> counts)> of_row_, of_corpus_;
  std::string signature_;
  std::optional<size_t> references_;  // of every row since begin()
};

}  // namespace

std::unique_ptr<AnswerMetric> make_sentence_metric(std::string_view name, MakeSentenceScore make,
                                                   const Settings& settings,
                                                   const std::string& signature) {
  return std::make_unique<SentenceMetric>(std::string(name), signature, std::move(make),
                                          settings.text(kStrip));
}

std::unique_ptr<AnswerMetric> make_corpus_metric(std::string_view name, CorpusScore score,
                                                 const std::string& signature) {
  return std::make_unique<CorpusMetric>(std::string(name), std::move(score), signature);
}

}  // namespace rubric::metrics
