#include "text/tokenizer.h"

#include "text/wordpiece.h"

namespace rubric {

std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model_directory) {
  return std::make_unique<WordPiece>(WordPiece::from_directory(model_directory));
}

}  // namespace rubric
