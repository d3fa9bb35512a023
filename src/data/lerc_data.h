// The data of a LERC run.
#pragma once

#include <string>

#include "config/train_config.h"
#include "data/tokenized_answers.h"

namespace rubric {

// What is trained on, and what the best model is chosen by; both without the held-out constituents.
struct LercData {
  TokenizedAnswers train, dev;
};

// Tokenises the files that `config` names, or opens their token store in config.data.store. Throws
// InputError as the parts do.
LercData load_lerc_data(const TrainConfig& config, const Tokenizer& tokenizer);

// "train: 250 rows, 31020 tokens, 0 passages cut; dev: …": for the log.
std::string describe(const LercData& data);

}  // namespace rubric
