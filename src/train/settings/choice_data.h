// Pre-training examples made of multiple-choice questions (Chen et al. 2020, section 3.2): two
// answers to one question, of which the first, the second or both are correct.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/records.h"

namespace rubric {

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
std::vector<ChoicePair> choice_pairs(std::span<const ChoiceQuestion> questions, uint64_t seed);

// Whether a pair is read with its answers swapped: drawn anew for every update, and only where one
// of them is incorrect.
bool is_swapped(const ChoiceQuestion& question, const ChoicePair& pair, uint64_t seed,
                int64_t update, int64_t place);

ChoiceLabel label_of(const ChoiceQuestion& question, const ChoicePair& pair, bool swapped);

// The pair as LERC's input, the two answers in the places of reference and candidate.
Answer as_answer(const ChoiceQuestion& question, const ChoicePair& pair, bool swapped);

}  // namespace rubric
