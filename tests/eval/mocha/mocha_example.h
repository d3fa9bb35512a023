// A small evaluation whose values are known.
#pragma once

#include <string>
#include <vector>

#include "eval/mocha/mocha.h"

namespace rubric {

inline data::Answer answer(const std::string& constituent, const std::string& source,
                           const std::string& id, double score) {
  data::Answer result;
  result.constituent = constituent;
  result.source = source;
  result.id = id;
  result.score = score;
  return result;
}

// Two constituents of four instances: human 1 2 4 5, predicted 1 2 4 5 and 5 4 2 1.
struct Example {
  std::vector<data::Answer> answers;
  eval::MochaPredictions lerc{"lerc", {}, std::nullopt};

  Example() {
    const double human[] = {1, 2, 4, 5};
    for (int i = 0; i < 4; ++i) {
      const std::string id = std::to_string(i);
      answers.push_back(answer("drop", i < 2 ? "bert" : "", id, human[i]));
      answers.push_back(answer("quoref", "gpt2", id, human[i]));
      lerc.answers[{"drop", id}] = human[i];
      lerc.answers[{"quoref", id}] = 6 - human[i];
    }
  }
  // Without pairs.
  eval::MochaResult result() const {
    return eval::evaluate_mocha(answers, {}, lerc, {.resamples = 200});
  }
};

inline std::vector<data::AnswerPair> four_pairs() {
  std::vector<data::AnswerPair> pairs;
  for (const char* id : {"win", "tie", "loss", "missing"}) {
    pairs.push_back({answer("drop", "", id, 5), answer("drop", "", id, 1)});
  }
  pairs.push_back({answer("quoref", "", "win", 5), answer("quoref", "", "win", 1)});
  return pairs;
}

inline eval::PairPredictions predictions_of_pairs() {
  eval::PairPredictions predictions;
  predictions.better = {{{"drop", "win"}, 2},
                        {{"drop", "tie"}, 2},
                        {{"drop", "loss"}, 1},
                        {{"drop", "missing"}, 9},
                        {{"quoref", "win"}, 1}};
  predictions.worse = {
      {{"drop", "win"}, 1}, {{"drop", "tie"}, 2}, {{"drop", "loss"}, 2}, {{"quoref", "win"}, 0}};
  return predictions;
}

// The results of "lerc" with its pairs, and of "bleu1", which has the same scores and none of
// pairs.
inline std::vector<eval::MochaResult> two_results() {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  eval::MochaPredictions bleu1 = Example().lerc;
  bleu1.metric = "bleu1";
  return {eval::evaluate_mocha(example.answers, four_pairs(), example.lerc, {}),
          eval::evaluate_mocha(example.answers, four_pairs(), bleu1, {})};
}

}  // namespace rubric
