// The data of a run that trains on human scores: the tasks lerc and similarity.
#pragma once

#include <string>

#include "train/settings/train_config.h"
#include "data/tokens/tokenized_answers_part.h"

namespace rubric {

// What is trained on, and what the best model is chosen by; both without the held-out constituents.
struct LercData {
  TokenizedAnswers train, dev;
};

// Tokenises the files that `config` names, or opens their token store in config.data.store. Throws
// InputError as the parts do.
LercData load_lerc_data(const TrainConfig& config, const Tokenizer& tokenizer);

// "train: 250 rows, 31020 tokens, 0 rows cut; dev: …": for the log.
std::string describe(const LercData& data);

}  // namespace rubric
