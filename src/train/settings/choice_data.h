// The data of LERC's pre-training: examples made from multiple-choice questions (Chen et al. 2020,
// section 3.2). An example is two answers to one question, of which the first, the second or both
// are correct.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/multiple_choice/readers.h"
#include "data/records.h"
#include "data/tokens/tokenized_answers.h"
#include "train/settings/train_config.h"

namespace rubric::train {

// The classes, in the order of the model's logits.
enum class ChoiceLabel : int64_t { first, second, both };
inline constexpr int64_t kChoiceLabels = 3;

// Two answers to a question. Its correct answers are numbered from 0, its incorrect ones follow.
struct ChoicePair {
  int64_t question;       // index among all questions
  int64_t first, second;  // numbers of answers; `first` is correct
};

// The pairs of each question: all pairs of its correct answers; each correct answer with itself
// with probability 0.2; each correct with each incorrect answer. The random choice is a function of
// the seed and the indices of question and answer.
std::vector<ChoicePair> choice_pairs(std::span<const data::ChoiceQuestion> questions,
                                     uint64_t seed);

// Whether a pair is read with its answers swapped; drawn anew for every update, and only if one
// answer is incorrect.
bool is_swapped(const data::ChoiceQuestion& question, const ChoicePair& pair, uint64_t seed,
                int64_t update, int64_t place);

ChoiceLabel label_of(const data::ChoiceQuestion& question, const ChoicePair& pair, bool swapped);

// The pair as LERC's input, with its answers as reference and candidate.
data::Answer as_answer(const data::ChoiceQuestion& question, const ChoicePair& pair, bool swapped);

// One split of the data of a pre-training run.
struct ChoiceSplit {
  std::vector<data::ChoiceQuestion> questions;
  std::vector<ChoicePair> pairs;
  std::vector<int64_t> lengths;  // of each pair's row in tokens, the same in both orders of answers
  int64_t truncated = 0;         // number of rows whose passage is truncated
  data::Dropped dropped;

  const data::ChoiceQuestion& question_of(int64_t pair) const {
    return questions[static_cast<size_t>(pairs[static_cast<size_t>(pair)].question)];
  }
};

struct ChoiceData {
  ChoiceSplit train, dev;
};

// Reads the files of config.questions and makes the pairs; the dev pairs do not depend on the seed.
// Drops and counts questions whose passage has too many tokens. There is no token store: rows are
// tokenised when they are used, because the order of their answers changes, in a thousandth of an
// update's time. Throws InputError as the readers do, when no pair is left, and for a key that only
// other tasks use; Interrupted on a stop request.
ChoiceData load_choice_data(const TrainConfig& config, const text::Tokenizer& tokenizer);

// Tokenised pairs with their labels.
struct ChoiceRows {
  data::TokenBatch tokens;
  std::vector<ChoiceLabel> labels;
};

// Tokenises the given pairs, with their answers swapped as is_swapped() draws for `seed` and
// `update`.
ChoiceRows choice_rows(const ChoiceSplit& split, std::span<const int64_t> pairs, uint64_t seed,
                       int64_t update, const text::Tokenizer& tokenizer,
                       const data::AnswerTemplate& input);

// Tokenises all pairs of the dev split, independently of the run's seed, so that every run is
// validated on the same rows.
ChoiceRows dev_rows(const ChoiceSplit& dev, const text::Tokenizer& tokenizer,
                    const data::AnswerTemplate& input);

// For the log: "train: 1480 questions (mctest/mc160.train.tsv 280, …), 4738 pairs (298 of two
// correct answers), 1303552 tokens, 0 passages cut, 2 questions dropped (2 with …); dev: …".
std::string describe(const ChoiceData& data);

}  // namespace rubric::train
