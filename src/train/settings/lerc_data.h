// The data of a run that trains on human scores: the tasks lerc and similarity.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/rows/rows.h"
#include "data/tokens/tokenized_answers.h"
#include "train/settings/train_config.h"

namespace rubric::train {

// What is trained on, and what the best model is chosen by; both without the held-out constituents.
struct LercData {
  data::TokenizedAnswers train, dev;
};

// Tokenises the files that `config` names, or opens their token store in config.data.store. Throws
// InputError as the parts do.
LercData load_lerc_data(const TrainConfig& config, const text::Tokenizer& tokenizer);

// "train: 250 rows, 31020 tokens, 0 rows cut; dev: …": for the log.
std::string describe(const LercData& data);

// A file's rows for training: from its token store, or tokenised now and put there.

struct AnswerSource {
  std::filesystem::path file;
  data::InputFormat format = data::InputFormat::mocha;
  bool nearest_reference = false;  // of several the nearest to the candidate, not the first
};

// The rows of one file, all constituents, before anything is tokenised: what is wrong with one file
// shows before time goes into another.
struct StoredAnswers {
  std::filesystem::path source, store;  // `store` is empty when none is kept
  std::string source_sha256;
  std::optional<data::TokenizedAnswers> rows;  // what the store holds
  std::vector<data::Answer> answers;  // where there is no store yet: the rows to be tokenised
};

// `directory` is where token stores lie, named by all that their rows depend on; empty: none is
// read or kept. Throws InputError as the readers do, and for a row without a score.
StoredAnswers open_answers(const AnswerSource& source, const std::filesystem::path& directory,
                           const text::Tokenizer& tokenizer,
                           const data::AnswerTemplate& answer_template,
                           const data::Augmentation& augmentation);

// The rows; tokenised ones are put in the store. Throws InputError when its folder cannot be made.
data::TokenizedAnswers tokenized(StoredAnswers stored, const text::Tokenizer& tokenizer,
                                 const data::AnswerTemplate& answer_template);

// Which of several references to train on.

// The reference that has most of its words in the candidate; of several such the one whose words
// make up most of the candidate, then the first. A word is a run of ASCII letters, taken as small
// ones, digits and other alphabets' bytes. An answer that is right is right by one of its
// references: to train it with another teaches that what differs is the same.
const std::string& nearest_reference(const data::Answer& answer);

}  // namespace rubric::train
