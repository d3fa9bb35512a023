// The tokenizer of the tests that tokenise samples.
#pragma once

#include <string>

#include "paths.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric {

inline const text::WordPiece& sample_tokenizer() {
  static const text::WordPiece instance =
      text::WordPiece::from_directory(std::string(fixtures_folder()) + "/lerc");
  return instance;
}

}  // namespace rubric
