// Rows of labelled answers, each with its first reference.
#pragma once

#include <span>
#include <string>

#include "data/tokens/tokenized_answers.h"

namespace rubric::data {

inline TokenizedAnswers tokenize_answers(std::span<const Answer> answers,
                                         const text::Tokenizer& tokenizer,
                                         const AnswerTemplate& answer_template,
                                         const std::string& file) {
  TokenizedAnswers tokenized;
  AnswerEncoder encoder(tokenizer, answer_template, file);
  require_scores(answers, file);
  for (const Answer& answer : answers) {
    append_answer(answer, encoder.fields_of(answer, answer.references.front()),
                  /*is_same_answer=*/false, encoder, tokenized);
  }
  return tokenized;
}

}  // namespace rubric::data
