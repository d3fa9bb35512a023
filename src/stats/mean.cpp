#include "stats/mean.h"

#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include "core/error.h"

namespace rubric {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

MeanInterval mean_interval(std::span<const double> values) {
  if (values.empty()) throw Error("the mean of no values");
  const auto n = static_cast<double>(values.size());
  const double middle = mean(values);
  if (values.size() == 1) return {middle, middle, middle};
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  const double half = t * std::sqrt(squares / (n - 1) / n);
  return {middle, middle - half, middle + half};
}

}  // namespace rubric
