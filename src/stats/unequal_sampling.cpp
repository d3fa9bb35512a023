#include "stats/unequal_sampling.h"

#include <algorithm>
#include <cmath>

namespace rubric::stats {

// Those that would get more get `most`, and the others share the rest, until none would.
std::vector<double> inclusion_probabilities(std::span<const double> sizes, double count,
                                            double most) {
  std::vector<bool> is_full(sizes.size(), false);
  double factor = 0;
  for (bool has_changed = true; has_changed;) {
    double rest = count, sum = 0;
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (is_full[k]) {
        rest -= most;
      } else {
        sum += sizes[k];
      }
    }
    factor = sum > 0 ? rest / sum : 0;
    has_changed = false;
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (is_full[k] || factor * sizes[k] <= most) continue;
      is_full[k] = has_changed = true;
    }
  }
  std::vector<double> probabilities;
  for (size_t k = 0; k < sizes.size(); ++k) {
    probabilities.push_back(is_full[k] ? most : factor * sizes[k]);
  }
  return probabilities;
}

std::vector<size_t> systematic_sample(std::span<const double> probabilities, double start) {
  constexpr double kRounding = 1e-9;  // a sum that is a whole number but for rounding
  std::vector<size_t> drawn;
  double sum = 0;
  double next = start;
  for (size_t k = 0; k < probabilities.size(); ++k) {
    sum += probabilities[k];
    if (sum <= next + kRounding) continue;
    drawn.push_back(k);
    next += 1;
  }
  return drawn;
}

}  // namespace rubric::stats
