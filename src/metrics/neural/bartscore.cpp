#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/model_tokens.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/neural/likelihood_metrics.h"
#include "metrics/neural/pair_likelihoods.h"
#include "rubric/version.h"

namespace rubric::metrics {
namespace {

void require_texts(const data::Answer& answer) {
  const auto is_empty = [](const std::string& text) { return trim(text).empty(); };
  if (!answer.references.empty() && !is_empty(answer.candidate) &&
      std::ranges::none_of(answer.references, is_empty)) {
    return;
  }
  throw InputError("the record lacks a reference or has an empty text, which has no probability",
                   data::named_record(answer), "leave it out, or give the text");
}

class BartScore : public AnswerMetric {
 public:
  BartScore(const std::filesystem::path& directory, bool show_progress,
            const distributed::Ranks& ranks)
      : scorer_(directory, data::pair_config_of(directory), ranks),
        between_(data::read_model_tokens(directory).is_causal ? " " : ""),
        show_progress_(show_progress) {}

  data::Scores score(std::span<const data::Answer> records) override {
    const auto lacking = std::ranges::count_if(
        records, [](const data::Answer& answer) { return trim(answer.passage).empty(); });
    lacking_ = lacking;
    rows_ = std::ssize(records);
    const bool has_sources = lacking == 0;
    if (!has_sources && lacking < std::ssize(records)) {
      log_warning(std::to_string(lacking) + " of " + std::to_string(records.size()) +
                  " rows lack passage: bartscore_s is left out");
    }
    const std::vector<data::SourceTarget> pairs = pairs_of(records, has_sources);
    const data::KeptPairs read = scorer_.check(pairs);
    Progress progress("scoring", std::ssize(pairs));
    int64_t done = 0;
    const auto values = scorer_.log_probabilities(pairs, read, [&](int64_t rows) {
      done += rows;
      if (show_progress_) progress.update(done);
    });
    data::Scores scores = scores_of(records, values, has_sources);
    scores.truncated = records_of(read.truncated, records, has_sources);
    return scores;
  }

  std::string signature() const override {
    return "bartscore|" + scorer_.signature() + "|no_passage:" + std::to_string(lacking_) + "/" +
           std::to_string(rows_) + "|rubric:" + version_with_build();
  }

 private:
  // For each record: both directions for every reference, then the passage's.
  std::vector<data::SourceTarget> pairs_of(std::span<const data::Answer> records,
                                           bool has_sources) const {
    std::vector<data::SourceTarget> pairs;
    for (const data::Answer& answer : records) {
      require_texts(answer);
      for (const std::string& reference : answer.references) {
        pairs.push_back({answer.id, reference, between_ + answer.candidate});
        pairs.push_back({answer.id, answer.candidate, between_ + reference});
      }
      if (has_sources) pairs.push_back({answer.id, answer.passage, between_ + answer.candidate});
    }
    return pairs;
  }

  // The records, each once, that some of the pairs of pairs_of() are of; both in ascending order.
  static std::vector<size_t> records_of(const std::vector<size_t>& pairs,
                                        std::span<const data::Answer> records, bool has_sources) {
    std::vector<size_t> of_pairs;
    size_t end = 0;  // of the pairs of the records so far
    auto next = pairs.begin();
    for (size_t i = 0; i < records.size(); ++i) {
      end += 2 * records[i].references.size() + (has_sources ? 1 : 0);
      if (next != pairs.end() && *next < end) of_pairs.push_back(i);
      while (next != pairs.end() && *next < end) ++next;
    }
    return of_pairs;
  }

  static data::Scores scores_of(std::span<const data::Answer> records,
                                const std::vector<std::vector<float>>& values, bool has_sources) {
    data::Scores scores{{"bartscore", "bartscore_p", "bartscore_r"}, {}};
    if (has_sources) scores.names.emplace_back("bartscore_s");
    auto next = values.begin();
    for (const data::Answer& answer : records) {
      std::vector<double> best;
      for (size_t i = 0; i < answer.references.size(); ++i) {
        const double precision = mean_log_probability(*next++),
                     recall = mean_log_probability(*next++);
        const double f = (precision + recall) / 2;
        if (best.empty() || f > best[0]) best = {f, precision, recall};
      }
      if (has_sources) best.push_back(mean_log_probability(*next++));
      scores.rows.push_back(std::move(best));
    }
    return scores;
  }

  PairScorer scorer_;
  std::string between_;  // the separator of the texts that a causal model reads as one
  bool show_progress_;
  int64_t lacking_ = 0, rows_ = 0;  // records without a passage, and all records
};

}  // namespace

std::unique_ptr<AnswerMetric> make_bartscore(const std::filesystem::path& model_directory,
                                             bool show_progress, const distributed::Ranks& ranks) {
  return std::make_unique<BartScore>(model_directory, show_progress, ranks);
}

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kBartScore>(const ModelUse& use) {
  return make_bartscore(data::find_model(use.model, data::sequence_types()), use.show_progress,
                        use.ranks);
}

}  // namespace rubric::metrics
