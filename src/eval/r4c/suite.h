// R4C's evaluation of derivations (Inoue et al. 2020, section 2.2), and HotpotQA's scores of the
// same predictions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/derivations/readers.h"
#include "metrics/derivations/derivation_scores.h"

namespace rubric::eval {

struct R4cOptions {
  bool ignore_missing = false;  // leave out questions without a prediction
  int64_t references = 0;       // draw so many references for each question; 0: use all
  uint64_t seed = 0;            // for the draw
};

struct HotpotScores {
  metrics::HotpotScore answer, supporting_facts, joint;
};

struct R4cQuestion {
  std::string id;
  data::Derivation candidate;
  std::vector<data::Derivation> references;  // all of the gold file's
  metrics::DerivationScores scores;          // by the best of the references used
  std::optional<HotpotScores> hotpotqa;
};

struct PrecisionRecallF1 {
  double precision = 0, recall = 0, f1 = 0;
};
// In the order of kStepScorers.
using R4cMeans = std::array<PrecisionRecallF1, metrics::kStepScorers.size()>;

struct HotpotMeans : HotpotScores {
  int64_t without_answer = 0, without_facts = 0;  // predictions that lack them, which score 0
};

struct R4cEvaluation {
  std::vector<R4cQuestion> questions;  // in the gold file's order
  R4cMeans means{};                    // over the questions, as fractions
  // [n - 1]: the means with n references for each question, averaged over all choices of n (Table
  // 2); n goes up to the smallest number of references of a question, at most ten.
  std::vector<R4cMeans> by_references;
  int64_t missing = 0, extra = 0;  // questions without a prediction; predictions without a question
  std::optional<HotpotMeans> hotpotqa;
  std::string signature;
};

// `hotpotqa`, if given, must contain the questions of `gold`; what a prediction names must occur in
// their articles. Throws InputError naming the question, and the step or fact.
R4cEvaluation evaluate_r4c(std::span<const data::DerivationQuestion> gold,
                           const data::R4cPredictions& predictions,
                           const std::vector<data::HotpotQuestion>* hotpotqa,
                           const R4cOptions& options);

}  // namespace rubric::eval
