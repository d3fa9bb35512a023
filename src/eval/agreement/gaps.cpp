#include "eval/agreement/gaps.h"

#include <algorithm>
#include <cmath>

#include "eval/groups.h"

namespace rubric {
namespace {

double mapped(double value, const Scale& scale) {
  return (value - scale.low) / (scale.high - scale.low);
}

}  // namespace

std::vector<Gap> largest_gaps(const ScoredRows& rows, const std::vector<double>& first,
                              const Scale& first_scale, const std::vector<double>& second,
                              const Scale& second_scale, int64_t most) {
  const auto name = [&](size_t i) { return rows.groups.empty() ? "" : rows.groups[i]; };
  std::vector<Gap> gaps;
  for (const Group& group : group_by(first.size(), name)) {
    std::vector<Gap> of_group;
    for (const size_t i : group.members) {
      of_group.push_back({group.name, i, first[i], second[i],
                          mapped(first[i], first_scale) - mapped(second[i], second_scale)});
    }
    std::stable_sort(of_group.begin(), of_group.end(),
                     [](const Gap& a, const Gap& b) { return std::abs(a.gap) > std::abs(b.gap); });
    of_group.resize(std::min(of_group.size(), static_cast<size_t>(most)));
    gaps.insert(gaps.end(), of_group.begin(), of_group.end());
  }
  return gaps;
}

}  // namespace rubric
