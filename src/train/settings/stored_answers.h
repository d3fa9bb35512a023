// A file's rows for training: from its token store, or tokenised now and put there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/rows/rows.h"
#include "data/tokens/tokenized_answers_part.h"

namespace rubric {

struct AnswerSource {
  std::filesystem::path file;
  InputFormat format = InputFormat::mocha;
  bool nearest_reference = false;  // of several the nearest to the candidate, not the first
};

// The rows of one file, all constituents, before anything is tokenised: what is wrong with one file
// shows before time goes into another.
struct StoredAnswers {
  std::filesystem::path source, store;  // `store` is empty when none is kept
  std::string source_sha256;
  std::optional<TokenizedAnswers> rows;  // what the store holds
  std::vector<Answer> answers;           // where there is no store yet: the rows to be tokenised
};

// `directory` is where token stores lie, named by all that their rows depend on; empty: none is
// read or kept. Throws InputError as the readers do, and for a row without a score.
StoredAnswers open_answers(const AnswerSource& source, const std::filesystem::path& directory,
                           const Tokenizer& tokenizer, const AnswerTemplate& answer_template,
                           const Augmentation& augmentation);

// The rows; tokenised ones are put in the store. Throws InputError when its folder cannot be made.
TokenizedAnswers tokenized(StoredAnswers stored, const Tokenizer& tokenizer,
                           const AnswerTemplate& answer_template);

}  // namespace rubric
