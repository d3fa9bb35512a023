// The tokenizer of the tests that tokenise samples.
#pragma once

#include <string>

#include "text/wordpiece.h"

namespace rubric {

inline const WordPiece& sample_tokenizer() {
  static const WordPiece instance =
      WordPiece::from_directory(std::string(RUBRIC_FIXTURES) + "/lerc");
  return instance;
}

}  // namespace rubric
