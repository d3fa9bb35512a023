// All that the CHIE suite finds.
#pragma once

#include <optional>
#include <vector>

#include "eval/chie/agreement.h"
#include "eval/chie/suite.h"
#include "eval/chie/chie_terciles.h"
#include "eval/chie/chie_words.h"

namespace rubric {

struct ChieResults {
  ChieEvaluation evaluation;
  ChieWordFigures words;
  std::optional<ChieAgreements> agreements = {};  // where labels or other ledgers are given
  std::vector<ChieTercile> terciles = {};         // where BERTScore is
};

}  // namespace rubric
