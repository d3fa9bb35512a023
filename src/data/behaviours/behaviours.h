// Minimal pairs by rule: for a question whose answer is known, a correct and an incorrect candidate
// that show whether a metric sees one behaviour of answers (a negation, another date, an incorrect
// answer in many words). In the spirit of CheckList (Ribeiro et al. 2020); MOCHA's minimal pairs
// (Chen et al. 2020, section 2.5) are written by people.
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

// The wordings around an answer are in three sets, so that a metric can be tested with other ones
// than it was trained with. A network or a threshold must be fitted with wordings that the metric
// has not seen, or it trusts the metric too much: those are of tuning.
enum class Wordings { learning, tuning, testing };

struct CandidatePair {
  std::string correct, incorrect;
  std::string question = {}, reference = {};  // of this pair; empty: as the question has them
};

struct BehaviourQuestion;  // what a rule may use of a question (data/behaviours/rules.h)

// Sentences of a kind, "negated". {a} is an answer of the pair, {o} the other one, {b} and {c} are
// incorrect answers, {q} is the question.
std::vector<std::string> sentences(std::string_view kind, Wordings wordings);  // of wordings.tsv

// What a metric is tested for.
struct Behaviour {
  std::string_view name, summary;
  std::string_view correct, incorrect;  // the kinds of sentences around the two answers
  // The answers without sentences, and the pair's own question and reference where it has such;
  // nothing where the question has not what the rule needs.
  std::optional<CandidatePair> (*answers)(const BehaviourQuestion& question);
  // Whether the incorrect candidate may have a reference in it: by rule, or because people judged
  // it incorrect all the same. Other pairs are left out where a reference would make the incorrect
  // candidate correct.
  bool wrong_has_reference = false;
};

extern const List<Behaviour> kBehaviours;

struct BehaviourOptions {
  Wordings wordings = Wordings::testing;
  std::vector<std::string> names = {};  // of the behaviours; empty: all
  int64_t pairs = 0;                    // at most so many of each behaviour, drawn; 0: all
  uint64_t seed = 0;
};

struct BehaviourRows {
  std::vector<Answer> rows;
  int64_t questions = 0;
  int64_t without_words = 0;  // of them: whose first reference has no letter and no digit; unused
  int64_t without_incorrect =
      0;  // of them: for which no other question's answer is surely incorrect
};

// Two answers for each pair, score 5 and 1, whose constituent is the behaviour and whose id is
// "NUMBER-correct" or "NUMBER-incorrect"; the behaviours in the order of the list, the questions in
// that of `answers`. Answers to one question (the same passage, and the same question after SQuAD's
// normalisation) make one pair of each behaviour, with the references of all of them or the pair's
// own; its source is the first one's constituent. Human scores are used for the behaviour
// paraphrase alone: the highest of them all is correct, the lowest incorrect. Throws InputError for
// an unknown or repeated name and for an answer without question.
BehaviourRows derive_behaviours(std::span<const Answer> answers, const BehaviourOptions& options);

}  // namespace rubric::data
