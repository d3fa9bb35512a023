#include "stats/mean.h"

#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include "core/error.h"

namespace rubric {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void Moments::add(double value) {
  ++n;
  const double difference = value - mean;
  mean += difference / static_cast<double>(n);
  squares += difference * (value - mean);
}

MeanInterval mean_interval(std::span<const double> values) {
  Moments moments{std::ssize(values), values.empty() ? 0 : mean(values), 0};
  for (const double value : values) {
    moments.squares += (value - moments.mean) * (value - moments.mean);
  }
  return mean_interval(moments);
}

MeanInterval mean_interval(const Moments& moments) {
  if (moments.n == 0) throw Error("the mean of no values");
  const auto n = static_cast<double>(moments.n);
  if (moments.n == 1) return {moments.mean, moments.mean, moments.mean};
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  const double half = t * std::sqrt(moments.squares / (n - 1) / n);
  return {moments.mean, moments.mean - half, moments.mean + half};
}

}  // namespace rubric
