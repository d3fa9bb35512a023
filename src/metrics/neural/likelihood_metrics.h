// Metrics of how probable a model finds a target given a source: `likelihood`, BARTScore (Yuan et
// al. 2021) and REV (Chen et al. 2022).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/source_targets/pair_config.h"
#include "distributed/ranks.h"
#include "metrics/neural/likelihood_kind.h"
#include "metrics/neural/model_use.h"

namespace rubric::metrics {

struct LikelihoodOptions {
  bool sum = false;        // also likelihood_sum: the sum over the tokens instead of the mean
  bool per_token = false;  // also the field likelihood_tokens: each token's
  bool int8 = false;       // weights of 8 bits
  bool show_progress = false;
  // Share the batches; all call score().
  const distributed::Ranks& ranks = distributed::kSingleProcess;
};

// The metric `likelihood`: the mean natural log-probability of the target's tokens, including the
// end-of-sequence token if config.target_eos is set.
class Likelihood : public SourceTargetMetric {
 public:
  Likelihood(const std::filesystem::path& model_directory, const data::PairConfig& config,
             const LikelihoodOptions& options);
  ~Likelihood() override;
  Likelihood(const Likelihood&) = delete;
  Likelihood& operator=(const Likelihood&) = delete;

  data::Scores score(std::span<const data::SourceTarget> records) override;
  std::string signature() const override;

  std::vector<std::string> field_names() const override;
  std::vector<Json> fields(size_t row) override;

 private:
  std::unique_ptr<class PairScorer> scorer_;
  LikelihoodOptions options_;
  std::vector<std::vector<float>> tokens_;  // by record scored last: each token's
};

// BARTScore.

// The metric `bartscore`, of mean natural log-probabilities of tokens: bartscore_p is reference →
// candidate, bartscore_r candidate → reference, bartscore their mean (section 3.2's F), and
// bartscore_s passage → candidate if every record has a passage. With several references the one
// with the highest bartscore counts. `ranks` share the work, and all call score(). Throws
// InputError as PairScorer does, and for a record without a reference or with an empty text.
std::unique_ptr<AnswerMetric> make_bartscore(
    const std::filesystem::path& model_directory, bool show_progress,
    const distributed::Ranks& ranks = distributed::kSingleProcess);

// REV: how much information a rationale adds about its label beyond a vacuous baseline rationale.

// The metric `rev`, pointwise and in nats (equations 5 and 6): rev_with = log f[r, b](y),
// rev_without = log f[b](y), each the mean over the tokens of the label y and its end-of-sequence
// token, and rev = rev_with - rev_without. A rationale r equal to its baseline b, up to case and
// surrounding white space, is read once: rev is 0.
class Rev : public RationaleMetric {
 public:
  // Uses one evaluator f for both terms, as in the paper; or, as in the later published code, a
  // second one g' for log g'[b](y). `ranks` share the work, and all call score(). Throws InputError
  // as PairScorer does, and for a model whose card says that it was trained on other templates.
  Rev(const std::filesystem::path& evaluator,
      const std::optional<std::filesystem::path>& baseline_evaluator,
      const distributed::Ranks& ranks = distributed::kSingleProcess);
  ~Rev() override;
  Rev(const Rev&) = delete;
  Rev& operator=(const Rev&) = delete;

  std::vector<std::string> names() const override { return {"rev", "rev_with", "rev_without"}; }

  // Refuses a record that is too long or contains a special token of the evaluator.
  void check(const data::Rationale& record, const std::string& where) override;

  // Scores are not finite where the model's log-probabilities are not.
  data::Scores score(int64_t begin, int64_t end) override;

  // "rev|model:3f9a…|…|equal:12/400|rubric:0.1.0": the evaluators, and how many of the checked
  // records have a rationale equal to its baseline.
  std::string signature() const override;

 private:
  struct Term;
  std::unique_ptr<Term> with_, without_;
  std::vector<bool> is_equal_;  // of the checked records: to its baseline
};

}  // namespace rubric::metrics
