#include "stats/prediction_powered.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/math/distributions/students_t.hpp>

namespace rubric::stats {

namespace {

// What is known of a stratum.
struct Stratum {
  double n = 0, unlabelled = 0;                // records with and without label
  double label = 0, labelled = 0, others = 0;  // means: label, prediction with and without label
  double covariance = 0, variance = 0;         // of labelled records; of all records' predictions
  double records() const { return n + unlabelled; }
};

// A record's stratum and, if it has one, its label.
struct RecordsOf {
  const LabelledSample& sample;

  template <class Visit>
  void each(const Visit& visit) const {
    size_t next = 0;
    for (size_t i = 0; i < sample.predictions.size(); ++i) {
      const bool has_label = next < sample.labelled.size() && sample.labelled[next] == i;
      visit(i, sample.strata.empty() ? 0 : sample.strata[i],
            has_label ? std::optional(next) : std::nullopt);
      next += has_label ? 1 : 0;
    }
  }
};

std::vector<Stratum> strata_of(const LabelledSample& sample) {
  const RecordsOf records{sample};
  const size_t count =
      sample.strata.empty() ? 1 : size_t{*std::ranges::max_element(sample.strata)} + 1;
  std::vector<Stratum> strata(count);
  records.each([&](size_t i, size_t of, std::optional<size_t> label) {
    Stratum& stratum = strata[of];
    if (label) {
      stratum.n += 1;
      stratum.label += sample.labels[*label];
      stratum.labelled += sample.predictions[i];
    } else {
      stratum.unlabelled += 1;
      stratum.others += sample.predictions[i];
    }
  });
  std::vector<double> means(count);  // of all predictions
  for (size_t of = 0; of < count; ++of) {
    Stratum& stratum = strata[of];
    means[of] = (stratum.labelled + stratum.others) / stratum.records();
    stratum.label /= stratum.n;
    stratum.labelled /= stratum.n;
    if (stratum.unlabelled > 0) stratum.others /= stratum.unlabelled;
  }
  records.each([&](size_t i, size_t of, std::optional<size_t> label) {
    Stratum& stratum = strata[of];
    const double prediction = sample.predictions[i];
    if (label) {
      stratum.covariance +=
          (sample.labels[*label] - stratum.label) * (prediction - stratum.labelled) / stratum.n;
    }
    const double deviation = prediction - means[of];
    stratum.variance += deviation * deviation / std::max(stratum.records() - 1, 1.0);
  });
  return strata;
}

// By how much the labels' mean grows with the predictions', so that the estimate
// slope * (all predictions' mean - labelled ones' mean) + labels' mean varies least.
double best_slope(std::span<const Stratum> strata, double records) {
  double covariance = 0, variance = 0;
  for (const Stratum& stratum : strata) {
    const double share = stratum.records() / records;
    const double factor = share * share / stratum.n * stratum.unlabelled / stratum.records();
    covariance += factor * stratum.covariance;
    variance += factor * stratum.variance;
  }
  return variance > 0 ? covariance / variance : 0;
}

PoweredMean mean_of_strata(const LabelledSample& sample, std::optional<double> lambda) {
  const std::vector<Stratum> strata = strata_of(sample);
  const double records = static_cast<double>(sample.predictions.size());
  const double unlabelled = records - static_cast<double>(sample.labels.size());
  // The slope is of all records' mean, lambda of the unlabelled ones'.
  double slope = lambda ? *lambda : best_slope(strata, records);
  if (lambda && unlabelled > 0) slope *= records / unlabelled;
  PoweredMean result;
  result.lambda = slope * unlabelled / records;
  std::vector<double> weight(strata.size());  // of unlabelled predictions
  std::vector<double> value(strata.size());
  for (size_t of = 0; of < strata.size(); ++of) {
    const Stratum& stratum = strata[of];
    weight[of] = slope * stratum.unlabelled / stratum.records();
    value[of] = stratum.label + weight[of] * (stratum.others - stratum.labelled);
    result.value += stratum.records() / records * value[of];
  }
  result.influence.resize(sample.predictions.size());
  RecordsOf{sample}.each([&](size_t i, size_t of, std::optional<size_t> label) {
    const Stratum& stratum = strata[of];
    const double share = stratum.records() / records, prediction = sample.predictions[i];
    // Another sample of records would have other numbers of them in the strata.
    result.influence[i] = (value[of] - result.value) / records;
    result.influence[i] +=
        label ? share / stratum.n *
                    (sample.labels[*label] - stratum.label -
                     weight[of] * (prediction - stratum.labelled))
              : share / stratum.unlabelled * weight[of] * (prediction - stratum.others);
  });
  return result;
}

// Weights are 1 / probability (Horvitz and Thompson 1952), divided by their sum (Hájek 1971).
PoweredMean mean_of_weighted(const LabelledSample& sample, std::optional<double> lambda) {
  const double records = static_cast<double>(sample.predictions.size());
  const double unlabelled = records - static_cast<double>(sample.labels.size());
  std::vector<double> weights;
  double sum = 0;
  for (const double probability : sample.probabilities) sum += 1 / probability;
  for (const double probability : sample.probabilities) weights.push_back(1 / probability / sum);
  double label = 0, labelled = 0;
  for (size_t l = 0; l < weights.size(); ++l) {
    label += weights[l] * sample.labels[l];
    labelled += weights[l] * sample.predictions[sample.labelled[l]];
  }
  const double all = mean(sample.predictions);
  // The influence of record i is own[i] - slope * other[i].
  std::vector<double> own(sample.predictions.size()), other(sample.predictions.size());
  RecordsOf{sample}.each([&](size_t i, size_t, std::optional<size_t> l) {
    other[i] = -(sample.predictions[i] - all) / records;
    if (!l) return;
    own[i] = weights[*l] * (sample.labels[*l] - label);
    other[i] += weights[*l] * (sample.predictions[i] - labelled);
  });
  double covariance = 0, variance = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    covariance += own[i] * other[i];
    variance += other[i] * other[i];
  }
  double slope = variance > 0 ? covariance / variance : 0;
  if (lambda) slope = unlabelled > 0 ? *lambda * records / unlabelled : 0;
  PoweredMean result{label + slope * (all - labelled), slope * unlabelled / records, {}};
  for (size_t i = 0; i < own.size(); ++i) result.influence.push_back(own[i] - slope * other[i]);
  return result;
}

bool is_constant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

PoweredMean mean_of(const LabelledSample& sample, std::optional<double> lambda) {
  if (!lambda && is_constant(sample.predictions)) lambda = 0;
  return sample.probabilities.empty() ? mean_of_strata(sample, lambda)
                                      : mean_of_weighted(sample, lambda);
}

// What each labelled record stands for; they sum to 1.
std::vector<double> weights_of_labelled(const LabelledSample& sample) {
  std::vector<double> weights(sample.labels.size(), 1);
  if (!sample.probabilities.empty()) {
    for (size_t l = 0; l < weights.size(); ++l) weights[l] = 1 / sample.probabilities[l];
  } else if (!sample.strata.empty()) {
    const std::vector<Stratum> strata = strata_of(sample);
    for (size_t l = 0; l < weights.size(); ++l) {
      const Stratum& stratum = strata[sample.strata[sample.labelled[l]]];
      weights[l] = stratum.records() / stratum.n;
    }
  }
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

struct Standard {
  double mean = 0, deviation = 0;
  double operator()(double value) const { return (value - mean) / deviation; }
};

Standard standard_of(std::span<const double> values, std::span<const double> weights) {
  Standard standard;
  for (size_t i = 0; i < values.size(); ++i) standard.mean += weights[i] * values[i];
  for (size_t i = 0; i < values.size(); ++i) {
    standard.deviation += weights[i] * std::pow(values[i] - standard.mean, 2);
  }
  standard.deviation = std::sqrt(standard.deviation);
  return standard;
}

// The first-order error of a correlation r is the mean of xy - r (x^2 + y^2) / 2 of standardised
// values. What predictions alone say of it is a multiple of their square, less a constant: so it is
// estimated as a mean whose predictions are these squares.
std::optional<PoweredMean> correlation_of(const LabelledSample& sample,
                                          std::optional<double> lambda) {
  const std::vector<double> weights = weights_of_labelled(sample);
  std::vector<double> predictions;  // of labelled records
  for (const uint32_t record : sample.labelled) predictions.push_back(sample.predictions[record]);
  if (is_constant(predictions) || is_constant(sample.labels)) return std::nullopt;
  const Standard x = standard_of(predictions, weights), y = standard_of(sample.labels, weights);
  double r = 0;
  for (size_t l = 0; l < weights.size(); ++l) {
    r += weights[l] * x(predictions[l]) * y(sample.labels[l]);
  }
  constexpr double kLeast = 1e-12;  // less is rounding
  if (1 - std::abs(r) < kLeast) return std::nullopt;
  LabelledSample errors = sample;
  for (double& prediction : errors.predictions) prediction = std::pow(x(prediction), 2);
  for (size_t l = 0; l < weights.size(); ++l) {
    const double a = x(predictions[l]), b = y(sample.labels[l]);
    errors.labels[l] = r + a * b - r * (a * a + b * b) / 2;
  }
  return mean_of(errors, lambda);
}

}  // namespace

PoweredMean powered_mean(const LabelledSample& sample) {
  return mean_of(sample, std::nullopt);
}

PoweredMean powered_mean(const LabelledSample& sample, double lambda) {
  return mean_of(sample, lambda);
}

std::optional<PoweredMean> powered_correlation(const LabelledSample& sample) {
  return correlation_of(sample, std::nullopt);
}

std::optional<PoweredMean> powered_correlation(const LabelledSample& sample, double lambda) {
  return correlation_of(sample, lambda);
}

std::optional<EstimateError> error_of(double value, std::span<const double> influence_by_cluster,
                                      size_t labelled, size_t strata) {
  if (labelled <= strata) return std::nullopt;
  double squares = 0;
  for (const double influence : influence_by_cluster) squares += influence * influence;
  const double n = static_cast<double>(labelled), freedom = static_cast<double>(labelled - strata);
  const double error = std::sqrt(squares * n / freedom);
  const double t = boost::math::quantile(boost::math::students_t(freedom), 0.975);
  return EstimateError{error, {value - t * error, value + t * error}};
}

}  // namespace rubric::stats
