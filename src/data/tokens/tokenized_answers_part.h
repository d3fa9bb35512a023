// Answers as models train on them: tokenised, labelled, and with what selection needs.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/tokens/tokenized_answers.h"

namespace rubric {

struct TokenizedAnswers {
  TokenBatch tokens;
  std::vector<double> labels;  // human scores
  std::vector<std::string> ids, constituents;
  std::vector<char> cut;  // 1: the row was cut, 0: it was not
  int64_t rows() const { return tokens.rows(); }
};

// The augmentation of the authors' training code: once per distinct question an identity row
// (candidate = reference, score 5), and for every row with score 5 a second one with reference and
// candidate swapped.
struct Augmentation {
  bool identity = false;
  bool swap = false;
};

std::vector<Answer> augment(std::vector<Answer> answers, const Augmentation& augmentation);

// The first answer that has no score is an InputError; `file` is where the answers stand.
void require_scores(std::span<const Answer> answers, const std::string& file);

// Tokenises with the first reference of each answer. Requires scores, as above. Throws Interrupted
// when a stop is requested.
TokenizedAnswers tokenize_answers(std::span<const Answer> answers, const Tokenizer& tokenizer,
                                  const AnswerTemplate& answer_template, const std::string& file);

// A name that is not `known` is an InputError that lists those that are; `where` is file and key.
void require_constituents(const std::vector<std::string>& hold_out,
                          const std::set<std::string>& known, const std::string& where);

// The rows whose constituent is not in `hold_out`. Requires its names, as above.
TokenizedAnswers without_constituents(const TokenizedAnswers& answers,
                                      const std::vector<std::string>& hold_out,
                                      const std::string& where);

}  // namespace rubric
