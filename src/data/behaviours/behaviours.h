// Minimal pairs by rule: for a question whose answer is known, a right and a wrong candidate that
// show whether a metric sees one behaviour of answers (a negation, another date, a wrong answer in
// many words). In the spirit of CheckList (Ribeiro et al. 2020); MOCHA's minimal pairs (Chen et al.
// 2020, section 2.5) are written by people.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/list.h"
#include "data/records.h"

namespace rubric::data {

// The wordings around an answer are in two sets, so that a metric can be tested with other ones
// than it was trained with.
enum class Wordings { learning, testing };

struct CandidatePair {
  std::string right, wrong;
};

struct BehaviourQuestion;  // what a rule may use of a question (data/behaviours/rules.h)

// What a metric is tested for. `make` gives nothing where the answer has not what it needs.
struct Behaviour {
  std::string_view name, summary;
  std::optional<CandidatePair> (*make)(const BehaviourQuestion& question);
};

extern const List<Behaviour> kBehaviours;

struct BehaviourOptions {
  Wordings wordings = Wordings::testing;
  std::vector<std::string> names;  // of the behaviours; empty: all
  int64_t pairs = 0;               // at most so many of each behaviour, drawn; 0: all
  uint64_t seed = 0;
};

// Two answers for each pair, score 5 and 1, whose constituent is the behaviour and whose id is
// "NUMBER-right" or "NUMBER-wrong"; the behaviours in the order of the list, the questions in that
// of `answers`. A question (with its passage) is used once, with the references of its first
// answer; its source is that answer's constituent. `answers` need human scores, 5 for right and 1
// for wrong, for the behaviour paraphrase alone. Throws InputError for an unknown or repeated name
// and for an answer without question.
std::vector<Answer> derive_behaviours(std::span<const Answer> answers,
                                      const BehaviourOptions& options);

}  // namespace rubric::data
