// Agreement of judges with annotators and with each other (Phatthiyaphaibun et al. 2024, Tables 3,
// 4 and 7), and BERTScore against the four aspects (Table 2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/chie/assessments.h"
#include "eval/chie/suite.h"
#include "stats/agreement.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// C, H, I, E, and finally the verdicts on all four ("overall" in the paper).
inline constexpr size_t kAspectGroups = judge::kAspects.size() + 1;
const char* aspect_group(size_t group);  // "C", …, "overall"

struct AgreementStatistic {
  const char *key, *title;
  std::optional<double> (*of)(const stats::YesNoCounts& counts);
  double scale;  // 100 for percentages
  int decimals;  // when printed
  // The value over all aspects; null: `of` on the pooled verdicts.
  std::optional<double> (*overall)(std::span<const stats::YesNoCounts> aspects) = nullptr;
};
inline constexpr std::array<AgreementStatistic, 3> kTruthStatistics = {
    {{"precision", "precision", stats::precision, 100, 2},
     {"recall", "recall", stats::recall, 100, 2},
     {"f1", "F1", stats::f1, 100, 2}}};
inline constexpr std::array<AgreementStatistic, 2> kJudgeStatistics = {
    {{"agreement", "agreement", stats::observed_agreement, 100, 2},
     {"kappa", "kappa", stats::cohen_kappa, 1, 3, stats::stratified_kappa}}};

struct AgreementOf {
  stats::YesNoCounts counts;  // of verdicts that both give
  int64_t questions = 0;      // with such verdicts
  std::vector<std::optional<double>> values;
  std::vector<std::optional<stats::Interval>>
      intervals;                   // 95%; nothing for fewer than two questions
  std::vector<int64_t> undefined;  // resamples with an undefined value, which the interval ignores
};

// Two assessors on the answers that both assess.
struct ChieAgreement {
  std::string first, second;
  int64_t n = 0, questions = 0;
  std::array<int64_t, 2> invalid{};  // answers on which each has no verdict at all
  std::array<AgreementOf, kAspectGroups> groups{};
};

struct ChieAgreements {
  ChieAssessments assessments;
  std::vector<ChieAgreement> with_majority;  // each judge, then each annotator outside the majority
  std::vector<ChieAgreement> judges;         // each pair of judges
  stats::BootstrapOptions bootstrap;
};

// Computes the `statistics` for two assessors from the verdicts that both give. Answers
// to one question (a passage and its question) are resampled together.
ChieAgreement agreement_of(const Assessor& first, const Assessor& second,
                           std::span<const AgreementStatistic> statistics,
                           const std::vector<const judge::LedgerEntry*>& answers,
                           const stats::BootstrapOptions& bootstrap);

// All comparisons. Throws InputError when two judges have no answer in common.
ChieAgreements evaluate_agreements(ChieAssessments assessments,
                                   const stats::BootstrapOptions& bootstrap);

// BERTScore.

struct ChieTercile {
  std::string name;  // low, medium, high
  int64_t n = 0;
  double lowest = 0, highest = 0;                        // BERTScore of its answers, percent
  std::array<int64_t, judge::kAspects.size()> agreed{};  // how often the assessor agrees, by aspect
  int64_t undecided = 0;                                 // answers that lack a verdict on an aspect
  int64_t tied = 0;        // answers with the same score as one in another tercile
  double mean_length = 0;  // of the answers, in words
};

bool has_several_languages(std::span<const ChieSystem> systems);

// Divides the answers that `assessor` has assessed into thirds by BERTScore: third i of three ends
// with answer floor(i n / 3), so sizes differ by at most one. Equal scores keep the order of
// systems and ledger. All answers must be scored. Empty for fewer than three answers, and for
// systems in several languages, whose BERTScores have different scales.
std::vector<ChieTercile> bertscore_terciles(std::span<const ChieSystem> systems,
                                            const ChieWordCounts& words, const Assessor& assessor);

}  // namespace rubric::eval
