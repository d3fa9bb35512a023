// All that the CHIE suite finds.
#pragma once

#include <optional>
#include <vector>

#include "eval/chie_agreement.h"
#include "eval/chie_suite.h"
#include "eval/chie_terciles.h"
#include "eval/chie_words.h"

namespace rubric {

struct ChieResults {
  ChieEvaluation evaluation;
  ChieWordFigures words;
  std::optional<ChieAgreements> agreements = {};  // where labels or other ledgers are given
  std::vector<ChieTercile> terciles = {};         // where BERTScore is
};

}  // namespace rubric
