// The typed records that readers produce and that metrics, tasks and suites use.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubric {

// A candidate answer to a question about a passage (MOCHA, Chen et al. 2020, section 2).
struct Answer {
  std::string id;           // unique in its constituent
  std::string constituent;  // the source data set inside MOCHA; "" elsewhere
  std::string source;       // what generated the candidate; "" when unknown
  std::string passage, question, candidate;
  std::vector<std::string> references;
  std::optional<double> score;  // the human judgement, 1 (wrong) to 5 (perfect)
  std::vector<double> ratings;  // one of each annotator; empty when unknown
  bool is_numbered = false;     // the row has no id: this is its number
};

// A minimal pair (section 2.5): two candidates for one question, the first judged better.
struct AnswerPair {
  Answer better, worse;  // same id, constituent, passage, question and references
};

// A multiple-choice question about a passage (section 3.2): what LERC is pre-trained on.
struct ChoiceQuestion {
  std::string id;      // unique in its source
  std::string source;  // the data set and its file: "mctest/mc160.train.tsv"
  std::string passage, question;
  std::vector<std::string> correct, incorrect;  // answers
};

// A source text and its target text: the training and evaluation example of a sequence model.
struct SourceTarget {
  std::string id;  // several rows may share it
  std::string source, target;
  std::string given = {};  // the known beginning of the target: read like the source, not scored
};

// A free-text rationale for a label (REV, Chen et al. 2022, section 2): the answer to a question,
// or the relation between premise and hypothesis.
struct Rationale {
  std::string id;
  std::string question;             // for question answering
  std::string premise, hypothesis;  // for natural language inference
  std::vector<std::string> choices;
  std::string label;      // that the rationale supports
  std::string gold;       // the true label; "" when unknown
  std::string rationale;  // r
  // b: the vacuous rationale, which restates question and label; "" until it is made.
  std::string baseline;
};

// A relational fact and the sentence that supports it (R4C, Inoue et al. 2020, section 2.1).
struct DerivationStep {
  std::string title;     // of the article
  int64_t sentence = 0;  // number in the article, from 0
  std::string head, relation, tail;
};

using Derivation = std::vector<DerivationStep>;  // explains an answer

// The derivations that annotators wrote for a question.
struct DerivationQuestion {
  std::string id;
  std::vector<Derivation> references;
};

// A sentence that supports an answer (HotpotQA, Yang et al. 2018).
struct SupportingFact {
  std::string title;
  int64_t sentence = 0;  // from 0
  auto operator<=>(const SupportingFact&) const = default;
};

// The result of a metric: named scores for each record. The score of several records together is
// the mean of theirs unless the metric says otherwise, as BLEU does: it counts n-grams over all.
struct Scores {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  // rows[record][name]

  // If the score of several records is not the mean: statistics[record][i] add up over records, and
  // corpus_scores() gives a score for each name from the sums. Else both are empty. The metric's
  // signature then describes these scores: bleu's says eff:no, but its rows are sentence BLEU with
  // effective order.
  std::vector<std::vector<double>> statistics = {};
  std::function<std::vector<double>(std::span<const double> sums)> corpus_scores = {};

  // The records that the model read in part, because a text is too long. rev refuses such records.
  std::vector<size_t> truncated = {};
};

}  // namespace rubric
