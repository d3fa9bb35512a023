// The typed records that readers produce and metrics, tasks and suites consume.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rubric {

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

}  // namespace rubric
