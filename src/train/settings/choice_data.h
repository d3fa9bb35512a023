// Pre-training examples made of multiple-choice questions (Chen et al. 2020, section 3.2): two
// answers to one question, of which the first, the second or both are correct.
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

// The answers of a question are numbered: the correct ones from 0, after them the incorrect ones.
struct ChoicePair {
  int64_t question;       // its place among all questions
  int64_t first, second;  // `first` is correct
};

// For each question: every two of its correct answers; each correct answer with itself with
// probability 0.2; every correct with every incorrect answer. What is drawn is a function of the
// seed and the places of question and answer.
std::vector<ChoicePair> choice_pairs(std::span<const data::ChoiceQuestion> questions,
                                     uint64_t seed);

// Whether a pair is read with its answers swapped: drawn anew for every update, and only where one
// of them is incorrect.
bool is_swapped(const data::ChoiceQuestion& question, const ChoicePair& pair, uint64_t seed,
                int64_t update, int64_t place);

ChoiceLabel label_of(const data::ChoiceQuestion& question, const ChoicePair& pair, bool swapped);

// The pair as LERC's input, the two answers in the places of reference and candidate.
data::Answer as_answer(const data::ChoiceQuestion& question, const ChoicePair& pair, bool swapped);

// The data of a pre-training run on multiple-choice questions.

struct ChoiceSplit {
  std::vector<data::ChoiceQuestion> questions;
  std::vector<ChoicePair> pairs;
  std::vector<int64_t> lengths;  // of each pair's row in tokens, in whatever order it is read
  int64_t cut = 0;               // rows whose passage is cut
  data::Dropped dropped;

  const data::ChoiceQuestion& question_of(int64_t pair) const {
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
ChoiceData load_choice_data(const TrainConfig& config, const text::Tokenizer& tokenizer);

// Pairs as the model reads them: what goes into it, and what should come out.
struct ChoiceRows {
  data::TokenBatch tokens;
  std::vector<ChoiceLabel> labels;
};

// The named pairs, tokenised, in the order of answers that `seed` and `update` draw (is_swapped()).
ChoiceRows choice_rows(const ChoiceSplit& split, std::span<const int64_t> pairs, uint64_t seed,
                       int64_t update, const text::Tokenizer& tokenizer,
                       const data::AnswerTemplate& input);

// The same for all pairs of the dev split, in an order that no seed changes: every run is judged on
// the same rows.
ChoiceRows dev_rows(const ChoiceSplit& dev, const text::Tokenizer& tokenizer,
                    const data::AnswerTemplate& input);

// "train: 1480 questions (mctest/mc160.train.tsv 280, …), 4738 pairs (298 of two correct answers),
// 1303552 tokens, 0 passages cut, 2 questions dropped (2 with …); dev: …": for the log.
std::string describe(const ChoiceData& data);

}  // namespace rubric::train
