#include "metrics/corpus_metric.h"

#include <optional>
#include <utility>

#include "metrics/sentence_metric.h"
#include "rubric/version.h"

namespace rubric::metrics {
namespace {

class CorpusMetric : public AnswerMetric {
 public:
  CorpusMetric(std::string name, CorpusScore score, std::string signature)
      : name_(std::move(name)), score_(std::move(score)), signature_(std::move(signature)) {}

  data::Scores score(std::span<const data::Answer> answers) override {
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
  std::optional<size_t> references_;  // of every row so far
};

}  // namespace

std::unique_ptr<AnswerMetric> make_corpus_metric(std::string_view name, CorpusScore score,
                                                 const std::string& signature) {
  return std::make_unique<CorpusMetric>(std::string(name), std::move(score), signature);
}

}  // namespace rubric::metrics
