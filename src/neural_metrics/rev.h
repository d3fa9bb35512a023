// REV: how much a rationale tells of its label beyond a vacuous one (Chen et al. 2022).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "data/records.h"
#include "metrics/metric.h"

namespace rubric {

// The metric `rev`, pointwise and in nats (equations 5 and 6): rev_with = log f[r, b](y),
// rev_without = log f[b](y), each the mean over the tokens of the label y and its end, and
// rev = rev_with - rev_without. Where the rationale r is the baseline b but for case and blanks
// around it, it is read once: rev is 0.
class Rev : public Metric<Rationale> {
 public:
  // One evaluator f for both terms, as in the paper; or, as in the later published code, a second
  // one g' for log g'[b](y). Throws InputError as PairScorer does, and for a model whose card says
  // that it was trained on other templates.
  Rev(const std::filesystem::path& evaluator,
      const std::optional<std::filesystem::path>& baseline_evaluator);
  ~Rev() override;

  // Before hours are spent: throws InputError naming a record that cannot be scored, since it is
  // too long or holds a word that marks a part of the evaluator's input.
  void check(const Rationale& record) const;

  Scores score(std::span<const Rationale> records) override;
  std::string signature() const override;

 private:
  std::unique_ptr<class PairScorer> with_, without_;  // without_ where it is another model
};

}  // namespace rubric
