// The typed records that readers produce and metrics, tasks and suites consume.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rubric::data {

// A candidate answer to a question about a passage (MOCHA, Chen et al. 2020, section 2).
struct Answer {
  std::string id;           // unique in its constituent
  std::string constituent;  // the source data set; "" outside MOCHA
  std::string source;       // what generated the candidate; "" when unknown
  std::string passage, question, candidate;
  std::vector<std::string> references;
  std::optional<double> score;  // the human judgement, 1 (wrong) to 5 (perfect)
  std::vector<double> ratings;  // that each annotator gave; empty when the file does not say
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

// A text to read and the text to be written of it: what sequence models learn and are judged by.
struct SourceTarget {
  std::string id;  // perhaps of several rows
  std::string source, target;
  std::string given =
      {};  // the target's beginning where it is known: read like the source, not judged
};

// A free-text rationale for a label (REV, Chen et al. 2022, section 2): for the answer to a
// question, or for what a premise says of a hypothesis.
struct Rationale {
  std::string id;
  std::string question;             // of question answering
  std::string premise, hypothesis;  // of natural language inference
  std::vector<std::string> choices;
  std::string label;      // that the rationale speaks for
  std::string gold;       // the true one; "" where it is not known
  std::string rationale;  // r
  std::string baseline;   // b, which says no more than question and label; "" until it is made
};

// A relational fact and the sentence that it is drawn from (R4C, Inoue et al. 2020, section 2.1).
struct DerivationStep {
  std::string title;     // of the article
  int64_t sentence = 0;  // its number in the article, from 0
  std::string head, relation, tail;
};

using Derivation = std::vector<DerivationStep>;  // why an answer is right

// What annotators gave to a question.
struct DerivationQuestion {
  std::string id;
  std::vector<Derivation> references;
};

// A sentence that bears on an answer (HotpotQA, Yang et al. 2018).
struct SupportingFact {
  std::string title;
  int64_t sentence = 0;  // from 0
  auto operator<=>(const SupportingFact&) const = default;
};

// What metrics give: named figures for each record.

struct Scores {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  // rows[record][name]
};

}  // namespace rubric::data
