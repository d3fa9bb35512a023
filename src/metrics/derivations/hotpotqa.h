// HotpotQA's scores (Yang et al. 2018, section 5.2) as its evaluation script computes them.
#pragma once

#include <span>
#include <string_view>

#include "data/records.h"

namespace rubric {

// In [0, 1].
struct HotpotScore {
  double exact_match = 0, f1 = 0, precision = 0, recall = 0;
};

// Of words normalised as SQuAD does. "yes", "no" and "noanswer" are only right or wrong.
HotpotScore score_hotpot_answer(std::string_view gold, std::string_view predicted);

// Of sets of sentences.
HotpotScore score_supporting_facts(std::span<const SupportingFact> gold,
                                   std::span<const SupportingFact> predicted);

// Both at once: products of the exact matches, precisions and recalls, and the F1 of those.
HotpotScore joint_score(const HotpotScore& answer, const HotpotScore& supporting_facts);

}  // namespace rubric
