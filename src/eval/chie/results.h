// What the CHIE suite makes of ledgers, labels and scores.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/chie/agreement.h"
#include "eval/chie/suite.h"
#include "judge/ledger/ledger.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

struct ChieRequest {
  std::vector<std::string> ledgers;  // the evaluated one, then those of other judges
  std::string language;              // "": all
  VerdictParser parser = VerdictParser::published;
  std::string scores;                   // a file for add_bertscores(); "": none
  std::string labels;                   // a file for read_human_labels(); "": none
  std::vector<std::string> annotators;  // the majority is of these; empty: of all
  stats::BootstrapOptions bootstrap;

  bool compares() const { return !labels.empty() || ledgers.size() > 1; }
};

struct ChieResults {
  ChieEvaluation evaluation;
  ChieWordCounts words;
  std::optional<ChieAgreements> agreements = {};  // if labels or other ledgers are given
  std::vector<ChieTercile> terciles = {};         // if BERTScore is given
};

// Evaluates the first of `ledgers`, those of the request; the results point into them. Throws
// InputError as the functions of suite.h and assessments.h do.
ChieResults evaluate_ledgers(std::span<const judge::Ledger> ledgers, const ChieRequest& request);

std::string chie_signature(std::span<const judge::Ledger> ledgers, const ChieResults& results,
                           const ChieRequest& request);

}  // namespace rubric::eval
