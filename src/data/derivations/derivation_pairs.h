// What a sequence model learns to derive from: the question and its supporting sentences as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/derivations/hotpotqa.h"
#include "data/records.h"

namespace rubric {

struct DerivationPairs {
  std::vector<SourceTarget> rows;        // ids are the questions'
  std::vector<std::string> passed_over;  // facts of sentences that do not exist: "ID: TITLE 3"
};

// One row a question, without a target.
DerivationPairs derivation_sources(std::span<const HotpotQuestion> questions);

// One row for each reference of the questions that have some, in the order of `questions`: the
// first `most` of each question, 0: all. Throws InputError, naming them, where `references` are of
// questions that `questions` lack.
DerivationPairs derivation_pairs(std::span<const HotpotQuestion> questions,
                                 std::span<const DerivationQuestion> references, int64_t most);

}  // namespace rubric
