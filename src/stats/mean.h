// The mean of a sample and how well it is known.
#pragma once

#include <cstdint>
#include <span>

namespace rubric {

double mean(std::span<const double> values);  // nan of no values

struct MeanInterval {
  double mean, low, high;
};

// Of values that pass by one after the other (Welford 1962).
struct Moments {
  int64_t n = 0;
  double mean = 0, squares = 0;  // of the differences from the mean, summed
  void add(double value);
};

// The mean with Student's 95% interval, mean ± t(n-1, 0.975) s / sqrt(n): linear time for any
// number of rows. Of a single value the interval is that value. Throws Error when there is none.
MeanInterval mean_interval(std::span<const double> values);
MeanInterval mean_interval(const Moments& moments);

}  // namespace rubric
