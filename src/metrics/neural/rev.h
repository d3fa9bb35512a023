// REV: how much a rationale tells of its label beyond a vacuous one (Chen et al. 2022).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "data/records.h"
#include "distributed/ranks.h"
#include "metrics/metric.h"

namespace rubric {

// The metric `rev`, pointwise and in nats (equations 5 and 6): rev_with = log f[r, b](y),
// rev_without = log f[b](y), each the mean over the tokens of the label y and its end, and
// rev = rev_with - rev_without. Where the rationale r is the baseline b but for case and white
// space around it, it is read once: rev is 0.
class Rev : public Metric<Rationale> {
 public:
  // One evaluator f for both terms, as in the paper; or, as in the later published code, a second
  // one g' for log g'[b](y). `ranks` share the work, and all call score(). Throws InputError as
  // PairScorer does, and for a model whose card says that it was trained on other templates.
  Rev(const std::filesystem::path& evaluator,
      const std::optional<std::filesystem::path>& baseline_evaluator,
      const Ranks& ranks = kOneProcess);
  ~Rev() override;
  Rev(const Rev&) = delete;
  Rev& operator=(const Rev&) = delete;

  // Before hours are spent: throws InputError naming `where` and a record that cannot be scored,
  // since it is too long or holds a token of the evaluator's own; counts the others.
  void check(const Rationale& record, const std::string& where);

  // Not finite where the model's log-probabilities are not.
  Scores score(std::span<const Rationale> records) override;

  // "rev|model:3f9a…|…|equal:12/400|rubric:0.1.0": the evaluators, and how many of the records that
  // were checked have a rationale that is its baseline.
  std::string signature() const override;

 private:
  struct Term;
  std::unique_ptr<Term> with_, without_;
  int64_t equal_ = 0, checked_ = 0;
};

}  // namespace rubric
