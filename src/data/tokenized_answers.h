// MOCHA's rows as LERC trains on them: tokenised, labelled, and with what selection needs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/answer_template.h"

namespace rubric {

struct TokenizedAnswers {
  TokenBatch tokens;
  std::vector<double> labels;  // human scores
  std::vector<std::string> ids, constituents;
  std::vector<char> cut;  // 1: the row's passage was cut, 0: it was not
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

// Tokenises with the first reference of each answer. Every answer must have a score: the first that
// has none is an InputError. `file` is where the answers stand, for messages.
TokenizedAnswers tokenize_answers(std::span<const Answer> answers, const WordPiece& tokenizer,
                                  const AnswerTemplate& answer_template, const std::string& file);

// The rows whose constituent is not in `hold_out`. A name that no row has is an InputError that
// lists the constituents there are; `where` is the file and key.
TokenizedAnswers without_constituents(const TokenizedAnswers& answers,
                                      const std::vector<std::string>& hold_out,
                                      const std::string& where);

}  // namespace rubric
