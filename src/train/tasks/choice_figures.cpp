#include "train/tasks/choice_figures.h"

#include <algorithm>
#include <map>

namespace rubric {

ChoiceLabel most_probable(const LogProbabilities& p) {
  return static_cast<ChoiceLabel>(std::max_element(p.begin(), p.end()) - p.begin());
}

ChoiceFigures choice_figures(const ChoiceSplit& split, const std::vector<ChoiceLabel>& labels,
                             const std::vector<LogProbabilities>& predicted,
                             const std::string& source) {
  int64_t right = 0;
  double loss = 0;
  std::array<int64_t, kChoiceLabels> frequency{};
  std::map<int64_t, bool> ranks_right;  // by question
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!source.empty() && split.question_of(static_cast<int64_t>(i)).source != source) continue;
    const auto label = static_cast<size_t>(labels[i]);
    const LogProbabilities& p = predicted[i];
    right += most_probable(p) == labels[i] ? 1 : 0;
    loss -= p[label];
    ++frequency[label];
    bool& ranks = ranks_right.emplace(split.pairs[i].question, true).first->second;
    if (labels[i] != ChoiceLabel::both) ranks = ranks && p[label] > p[1 - label];
  }
  ChoiceFigures figures;
  for (const int64_t count : frequency) figures.pairs += count;
  figures.questions = std::ssize(ranks_right);
  const auto pairs = static_cast<double>(figures.pairs);
  figures.accuracy = static_cast<double>(right) / pairs;
  figures.majority =
      static_cast<double>(*std::max_element(frequency.begin(), frequency.end())) / pairs;
  figures.loss = loss / pairs;
  const auto ranked = std::ranges::count_if(ranks_right, [](const auto& q) { return q.second; });
  figures.question_accuracy = static_cast<double>(ranked) / static_cast<double>(figures.questions);
  return figures;
}

Json to_json(const ChoiceFigures& figures) {
  Json json;
  json["accuracy"] = figures.accuracy;
  json["majority"] = figures.majority;
  json["loss"] = figures.loss;
  json["pairs"] = figures.pairs;
  json["question_accuracy"] = figures.question_accuracy;
  json["questions"] = figures.questions;
  return json;
}

}  // namespace rubric
