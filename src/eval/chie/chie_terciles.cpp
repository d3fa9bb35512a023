#include "eval/chie/chie_terciles.h"

#include <algorithm>

namespace rubric {
namespace {

struct ScoredAnswer {
  double bertscore;
  int64_t length;
  Opinion opinion;
};

ChieTercile tercile_of(const char* name, std::span<const ScoredAnswer> sorted) {
  ChieTercile tercile{name, std::ssize(sorted), sorted.front().bertscore, sorted.back().bertscore};
  int64_t words = 0;
  for (const ScoredAnswer& answer : sorted) {
    bool is_decided = true;
    for (size_t i = 0; i < kAspects.size(); ++i) {
      tercile.agreed[i] += answer.opinion[i].value_or(false) ? 1 : 0;
      is_decided = is_decided && answer.opinion[i];
    }
    tercile.undecided += is_decided ? 0 : 1;
    words += answer.length;
  }
  tercile.mean_length = static_cast<double>(words) / static_cast<double>(tercile.n);
  return tercile;
}

}  // namespace

bool has_several_languages(std::span<const ChieSystem> systems) {
  return std::ranges::any_of(systems, [&](const ChieSystem& system) {
    return system.language != systems.front().language;
  });
}

std::vector<ChieTercile> bertscore_terciles(std::span<const ChieSystem> systems,
                                            const ChieWordFigures& words,
                                            const Assessor& assessor) {
  if (has_several_languages(systems)) return {};
  std::vector<ScoredAnswer> answers;
  size_t place = 0;  // of the answer among all systems' answers
  for (size_t i = 0; i < systems.size(); ++i) {
    for (size_t j = 0; j < systems[i].answers.size(); ++j, ++place) {
      const std::optional<Opinion>& opinion = assessor.opinions[place];
      if (!opinion) continue;
      answers.push_back(
          {systems[i].answers[j].bertscore.value(), words.systems[i].lengths[j], *opinion});
    }
  }
  std::ranges::stable_sort(answers, {}, &ScoredAnswer::bertscore);
  constexpr std::array<const char*, 3> kNames = {"low", "medium", "high"};
  if (answers.size() < kNames.size()) return {};
  const std::span<const ScoredAnswer> sorted = answers;
  std::vector<ChieTercile> terciles;
  for (size_t i = 0; i < kNames.size(); ++i) {
    const size_t begin = i * sorted.size() / kNames.size();
    const size_t end = (i + 1) * sorted.size() / kNames.size();
    const std::span<const ScoredAnswer> third = sorted.subspan(begin, end - begin);
    terciles.push_back(tercile_of(kNames[i], third));
    terciles.back().tied = std::ranges::count_if(third, [&](const ScoredAnswer& answer) {
      return (begin > 0 && answer.bertscore == sorted[begin - 1].bertscore) ||
             (end < sorted.size() && answer.bertscore == sorted[end].bertscore);
    });
  }
  return terciles;
}

}  // namespace rubric
