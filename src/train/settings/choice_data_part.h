// The data of a pre-training run on multiple-choice questions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "train/settings/train_config.h"
#include "data/tokens/tokenized_answers.h"
#include "train/settings/choice_data.h"
#include "data/multiple_choice/readers.h"

namespace rubric {

struct ChoiceSplit {
  std::vector<ChoiceQuestion> questions;
  std::vector<ChoicePair> pairs;
  std::vector<int64_t> lengths;  // of each pair's row in tokens, in whatever order it is read
  int64_t cut = 0;               // rows whose passage is cut
  Dropped dropped;

  const ChoiceQuestion& question_of(int64_t pair) const {
    return questions[static_cast<size_t>(pairs[static_cast<size_t>(pair)].question)];
  }
};

struct ChoiceData {
  ChoiceSplit train, dev;
};

// Reads what config.questions names and makes the pairs; those of dev are the same for every seed.
// Questions whose passage has too many tokens are dropped and counted. The rows are tokenised when
// they are read: their order changes, and it takes a thousandth of an update's time; hence no token
// store. Throws InputError as the parts do, when no pair is left, and for a key that only other
// tasks read; Interrupted when a stop is requested.
ChoiceData load_choice_data(const TrainConfig& config, const Tokenizer& tokenizer);

// Pairs as the model reads them: what goes into it, and what should come out.
struct ChoiceRows {
  TokenBatch tokens;
  std::vector<ChoiceLabel> labels;
};

// The named pairs, tokenised, in the order of answers that `seed` and `update` draw (is_swapped()).
ChoiceRows choice_rows(const ChoiceSplit& split, std::span<const int64_t> pairs, uint64_t seed,
                       int64_t update, const Tokenizer& tokenizer, const AnswerTemplate& input);

// The same for all pairs of the dev split, in an order that no seed changes: every run is judged on
// the same rows.
ChoiceRows dev_rows(const ChoiceSplit& dev, const Tokenizer& tokenizer,
                    const AnswerTemplate& input);

// "train: 1480 questions (mctest/mc160.train.tsv 280, …), 4738 pairs (298 of two correct answers),
// 1303552 tokens, 0 passages cut, 2 questions dropped (2 with …); dev: …": for the log.
std::string describe(const ChoiceData& data);

}  // namespace rubric
