// How well a model tells which answers are correct.
#pragma once

#include <array>
#include <vector>

#include "core/json/json.h"
#include "train/settings/choice_data_part.h"

namespace rubric {

using LogProbabilities = std::array<double, kChoiceLabels>;  // in the order of ChoiceLabel

ChoiceLabel most_probable(const LogProbabilities& p);  // on a tie the first

struct ChoiceFigures {
  int64_t pairs = 0, questions = 0;
  double accuracy = 0;  // pairs whose most probable class is theirs, of all pairs
  double majority = 0;  // what always naming the most frequent class would reach
  double loss = 0;      // mean cross-entropy over the pairs
  // Questions of which every correct answer is found better than every incorrect one, of all
  // questions: in each of their pairs the class of the correct one is the more probable of the two.
  double question_accuracy = 0;
};

// Over the pairs of `split`, or those of one source; row i of the others belongs to pair i.
ChoiceFigures choice_figures(const ChoiceSplit& split, const std::vector<ChoiceLabel>& labels,
                             const std::vector<LogProbabilities>& predicted,
                             const std::string& source = "");

// {accuracy, majority, loss, pairs, question_accuracy, questions}
Json to_json(const ChoiceFigures& figures);

}  // namespace rubric
