// How far judges agree with annotators and with each other (Phatthiyaphaibun et al. 2024, Tables 3,
// 4 and 7).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/chie/chie_assessments.h"
#include "stats/agreement.h"
#include "stats/bootstrap_part.h"

namespace rubric {

// C, H, I, E, and at the end the verdicts on all four ("overall" in the paper).
inline constexpr size_t kAspectGroups = kAspects.size() + 1;
const char* aspect_group(size_t group);  // "C", …, "overall"

struct AgreementFigure {
  const char *key, *title;
  std::optional<double> (*of)(const YesNoCounts& counts);
  double scale;  // 100: in percent
  int decimals;  // to be read
  // Over all aspects; null: `of` all verdicts pooled.
  std::optional<double> (*overall)(std::span<const YesNoCounts> aspects) = nullptr;
};
inline constexpr std::array<AgreementFigure, 3> kTruthFigures = {
    {{"precision", "precision", precision, 100, 2},
     {"recall", "recall", recall, 100, 2},
     {"f1", "F1", f1, 100, 2}}};
inline constexpr std::array<AgreementFigure, 2> kJudgeFigures = {
    {{"agreement", "agreement", observed_agreement, 100, 2},
     {"kappa", "kappa", cohen_kappa, 1, 3, stratified_kappa}}};

struct AgreementOf {
  YesNoCounts counts;     // verdicts that both give
  int64_t questions = 0;  // that these are on
  std::vector<std::optional<double>> values;
  std::vector<std::optional<Interval>> intervals;  // 95%; nothing of fewer than two questions
  std::vector<int64_t> undefined;                  // resamples that count for no interval
};

// Two assessors on the answers that both assess.
struct ChieAgreement {
  std::string first, second;
  int64_t n = 0, questions = 0;
  std::array<int64_t, 2> invalid{};  // of these, on how many each has no verdict at all
  std::array<AgreementOf, kAspectGroups> groups{};
};

struct ChieAgreements {
  ChieAssessments assessments;
  std::vector<ChieAgreement> with_majority;  // of each judge and of each other annotator
  std::vector<ChieAgreement> judges;         // of each pair
  BootstrapOptions bootstrap;
};

// Two assessors by `figures`, where only verdicts count that both give. Answers to one question
// (a passage and what is asked of it) are resampled together.
ChieAgreement agreement_of(const Assessor& first, const Assessor& second,
                           std::span<const AgreementFigure> figures,
                           const std::vector<const LedgerEntry*>& answers,
                           const BootstrapOptions& bootstrap);

// All of them. Throws InputError when two judges have no answer in common.
ChieAgreements evaluate_agreements(ChieAssessments assessments, const BootstrapOptions& bootstrap);

}  // namespace rubric
