#include "stats/prediction_powered.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <boost/math/distributions/students_t.hpp>

#include "stats/correlation.h"

namespace rubric::stats {

namespace {

using Side = LabelDraw::Side;

// What is known of a side by stratum. Predictions, unless none are used.
struct StratumMeans {
  double weight = 0;               // of the labels
  double label = 0, labelled = 0;  // weighted means of labels, and of labelled predictions
  double all = 0;                  // mean of all predictions
  double variance = 0;             // of all predictions
  double variance_of_labelled = 0;
};

// Predictions less one of them, so that sums keep their digits beside a large offset.
struct Predictions {
  std::span<const double> values;
  double origin = 0;

  double of(const LabelledSample& sample, size_t record) const {
    return values[sample.records[record]] - origin;
  }
};

// Of the predictions of all records. With known probabilities the strata of records without label
// are not known: the mean of all serves for each, and variances are not read.
void add_means_of_all(const LabelledSample& sample, const Predictions& predictions,
                      const std::vector<double>& counts, std::vector<StratumMeans>& strata) {
  if (!sample.probabilities.empty()) {
    double mean = 0;
    for (size_t i = 0; i < sample.records.size(); ++i) {
      mean += predictions.of(sample, i) / static_cast<double>(sample.records.size());
    }
    for (StratumMeans& stratum : strata) stratum.all = mean;
    return;
  }
  for (size_t i = 0; i < sample.records.size(); ++i) {
    const uint32_t h = sample.stratum(i);
    strata[h].all += predictions.of(sample, i) / counts[h];
  }
  for (size_t i = 0; i < sample.records.size(); ++i) {
    const uint32_t h = sample.stratum(i);
    strata[h].variance +=
        std::pow(predictions.of(sample, i) - strata[h].all, 2) / std::max(counts[h] - 1, 1.0);
  }
}

std::vector<StratumMeans> stratum_means(const Side& side, std::span<const double> labels,
                                        const Predictions& predictions, bool is_predicted) {
  const LabelledSample& sample = *side.sample;
  std::vector<StratumMeans> strata(side.records.size());
  const auto prediction = [&](size_t record) { return predictions.of(sample, record); };
  for (size_t l = 0; l < labels.size(); ++l) {
    const uint32_t record = sample.labelled[l];
    StratumMeans& stratum = strata[sample.stratum(record)];
    stratum.weight += side.weights[l];
    stratum.label += side.weights[l] * labels[l];
    if (is_predicted) stratum.labelled += side.weights[l] * prediction(record);
  }
  for (StratumMeans& stratum : strata) {
    stratum.label /= stratum.weight;
    stratum.labelled /= stratum.weight;
  }
  if (!is_predicted) return strata;
  add_means_of_all(sample, predictions, side.records, strata);
  for (const uint32_t record : sample.labelled) {
    StratumMeans& stratum = strata[sample.stratum(record)];
    stratum.variance_of_labelled +=
        std::pow(prediction(record) - stratum.labelled, 2) / side.labels[sample.stratum(record)];
  }
  return strata;
}

// An estimate is value + slope * gap; its error is the sum of label_errors - slope *
// prediction_errors.
struct Terms {
  double value = 0, gap = 0;
  double records = 0, labels = 0;                       // of all sides
  std::vector<double> label_errors, prediction_errors;  // as draw.labels
  double uncentred = 0;               // the sum of squares of predictions without their centre
  double variance = 0, labelled = 0;  // of the mean of as many predictions of all, or labelled ones
};

void add_side(const Side& side, double sign, const std::vector<StratumMeans>& strata,
              bool is_predicted, Terms& terms) {
  double records = 0;
  for (const double of : side.records) records += of;
  terms.records += records;
  for (size_t h = 0; h < strata.size(); ++h) {
    const StratumMeans& stratum = strata[h];
    terms.labels += side.labels[h];
    terms.value += sign * stratum.weight * stratum.label;
    if (!is_predicted) continue;
    const double share = side.records[h] / records;
    terms.gap += sign * (share * stratum.all - stratum.weight * stratum.labelled);
    const double factor = share * share / side.labels[h] * (1 - side.labels[h] / side.records[h]);
    terms.variance += factor * stratum.variance;
    terms.labelled += factor * stratum.variance_of_labelled;
  }
}

// From what deviations in each stratum are taken: labels, and labelled predictions.
struct Centres {
  std::vector<double> label, labelled;
};

Centres centres_of(const Side& side, const std::vector<StratumMeans>& strata) {
  double label = 0, labelled = 0;
  for (const StratumMeans& stratum : strata) {
    label += stratum.weight * stratum.label;
    labelled += stratum.weight * stratum.labelled;
  }
  Centres centres;
  for (size_t h = 0; h < strata.size(); ++h) {
    centres.label.push_back(std::lerp(label, strata[h].label, side.centring[h]));
    centres.labelled.push_back(std::lerp(labelled, strata[h].labelled, side.centring[h]));
  }
  return centres;
}

// The labels of each side, which need not be those of its sample.
using Labels = std::vector<std::span<const double>>;

Terms terms_of(const LabelDraw& draw, const Labels& labels, const Predictions& predictions,
               bool is_predicted) {
  Terms terms;
  std::vector<Centres> centres;
  for (size_t s = 0; s < draw.sides.size(); ++s) {
    const std::vector<StratumMeans> strata =
        stratum_means(draw.sides[s], labels[s], predictions, is_predicted);
    centres.push_back(centres_of(draw.sides[s], strata));
    add_side(draw.sides[s], s == 0 ? 1 : -1, strata, is_predicted, terms);
  }
  for (const LabelDraw::Label& each : draw.labels) {
    const Side& side = draw.sides[each.side];
    const uint32_t record = side.sample->labelled[each.label];
    const uint32_t h = side.sample->stratum(record);
    const double scale = (each.side == 0 ? 1 : -1) * side.scale[each.label];
    terms.label_errors.push_back(scale *
                                 (labels[each.side][each.label] - centres[each.side].label[h]));
    if (!is_predicted) continue;
    const double prediction = predictions.of(*side.sample, record);
    terms.prediction_errors.push_back(scale * (prediction - centres[each.side].labelled[h]));
    terms.uncentred += std::pow(scale * (prediction + predictions.origin), 2);
  }
  return terms;
}

// Visits the labels [first, end) of each cluster.
template <class Visit>
void each_cluster(const LabelDraw& draw, const Visit& visit) {
  for (size_t first = 0; first < draw.labels.size();) {
    size_t end = first;
    while (end < draw.labels.size() && draw.labels[end].cluster == draw.labels[first].cluster) {
      ++end;
    }
    visit(first, end);
    first = end;
  }
}

// What a cluster adds to the covariance of two sums over labels. Labels of one draw
// have errors in common.
double covariance_in(const LabelDraw& draw, std::span<const double> x, std::span<const double> y,
                     size_t first, size_t end) {
  double sum_x = 0, sum_y = 0, products = 0;
  for (size_t i = first; i < end; ++i) {
    sum_x += x[i];
    sum_y += y[i];
    products += x[i] * y[i];
  }
  return products + draw.whole_clusters * (sum_x * sum_y - products);
}

double covariance(const LabelDraw& draw, std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  each_cluster(draw,
               [&](size_t first, size_t end) { sum += covariance_in(draw, x, y, first, end); });
  return sum;
}

struct TunedSlope {
  double value = 0;
  double variance = 0;    // of the sum of Terms::prediction_errors; 0: the slope was not fitted
  bool is_exact = false;  // predictions fit all labels, up to their scale
};

// The variance of labelled predictions is replaced by that of all, which is known better.
TunedSlope tuned_slope(const LabelDraw& draw, const Terms& terms, Slope slope) {
  constexpr double kRounding = 1e-20;  // of squares
  const double variance = covariance(draw, terms.prediction_errors, terms.prediction_errors);
  if (variance <= kRounding * terms.uncentred) return {};
  // A slope that rests on one cluster has no error from which to tell how far it is off.
  constexpr double kMostLeverage = 0.5;
  double leverage = 0;
  each_cluster(draw, [&](size_t first, size_t end) {
    leverage = std::max(leverage, covariance_in(draw, terms.prediction_errors,
                                                terms.prediction_errors, first, end));
  });
  if (draw.freedom < 2 || leverage > kMostLeverage * variance) return {};
  const double labels = covariance(draw, terms.label_errors, terms.label_errors);
  const double common = covariance(draw, terms.label_errors, terms.prediction_errors);
  const bool is_exact = labels - common * common / variance <= kExactFit * labels;
  double factor = 1;
  const bool has_known_weights = std::ranges::any_of(
      draw.sides, [](const Side& side) { return !side.sample->probabilities.empty(); });
  if (!has_known_weights && !is_exact) factor = terms.variance / terms.labelled;
  const double best = common / (variance * factor);
  if (slope == Slope::cut && best <= 0) return {};
  if (slope == Slope::cut && best >= 1) return {1, 0, is_exact};
  return {best, variance, is_exact};
}

// The interval of a value, by the parts of its variance, one of each labelled cluster.
void add_interval(const std::vector<double>& parts, double freedom, PoweredMean& result) {
  double variance = 0, squares = 0;
  for (const double part : parts) {
    variance += part;
    squares += part * part;
  }
  if (variance > 0) {
    const auto n = static_cast<double>(parts.size());
    freedom = std::min(freedom, freedom_by_kurtosis(n, n * squares / (variance * variance)));
  }
  result.freedom = std::max(freedom, 1.0);
  result.standard_error = std::sqrt(std::max(variance, 0.0));
  const boost::math::students_t student(result.freedom);
  const double half = boost::math::quantile(student, 0.975) * result.standard_error;
  result.interval = {result.value - half, result.value + half};
  if (result.standard_error > 0) {
    result.p = 2 * boost::math::cdf(student, -std::abs(result.value) / result.standard_error);
  } else if (result.value != 0) {
    result.p = 0;
  }
}

// What clusters add to the variance of predictions that fit all labels. They may be
// wrong about others: as if they were about one cluster, by as much as labels deviate.
std::vector<double> parts_of_one_error(const LabelDraw& draw, const Terms& terms, size_t clusters) {
  std::vector<double> parts(clusters);
  parts.front() =
      covariance(draw, terms.label_errors, terms.label_errors) / static_cast<double>(clusters);
  return parts;
}

// Of labels and predictions of the usual size.
PoweredMean usual_mean(const LabelDraw& draw, const Labels& labels,
                       std::span<const double> predictions, Slope slope) {
  const bool is_predicted = slope != Slope::none;
  const LabelledSample& sample = *draw.sides.front().sample;
  const double origin = labels.front().front();  // of labels
  std::vector<std::vector<double>> centred;
  for (const std::span<const double> of : labels) {
    std::ranges::transform(of, std::back_inserter(centred.emplace_back()),
                           [&](double label) { return label - origin; });
  }
  const Predictions relative = {
      predictions, is_predicted ? predictions[sample.records[sample.labelled.front()]] : 0};
  const Terms terms =
      terms_of(draw, Labels(centred.begin(), centred.end()), relative, is_predicted);
  const TunedSlope tuned = is_predicted ? tuned_slope(draw, terms, slope) : TunedSlope{};
  PoweredMean result;
  result.value = terms.value + tuned.value * terms.gap;
  if (draw.sides.size() == 1) result.value += origin;  // that of a difference cancels
  result.lambda = tuned.value * (1 - terms.labels / terms.records);
  std::vector<double> errors = terms.label_errors;
  for (size_t i = 0; i < terms.prediction_errors.size() && !tuned.is_exact; ++i) {
    errors[i] -= tuned.value * terms.prediction_errors[i];
  }
  std::vector<double> parts;
  double squares = 0;
  each_cluster(draw, [&](size_t first, size_t end) {
    double leverage = 0;
    if (tuned.variance > 0) {
      leverage = covariance_in(draw, terms.prediction_errors, terms.prediction_errors, first, end) /
                 tuned.variance;
    }
    const double factor = 1 / (1 - leverage);
    double sum = 0;
    for (size_t i = first; i < end; ++i) sum += factor * errors[i];
    parts.push_back(factor * factor * covariance_in(draw, errors, errors, first, end));
    squares += sum * sum;
    result.influences.push_back({draw.labels[first].cluster, sum});
  });
  if (tuned.is_exact) parts = parts_of_one_error(draw, terms, parts.size());
  double freedom = draw.freedom;
  if (tuned.variance > 0) freedom -= freedom / draw.contrasts;
  add_interval(parts, freedom, result);
  for (PoweredMean::Influence& influence : result.influences) {
    if (squares > 0) influence.value *= result.standard_error / std::sqrt(squares);
  }
  return result;
}

// Of any: a variance of labels of 1e-200 would vanish. All sides have one scale, that of the
// largest value: labels of 1e-200 beside those of another side are 0. Predictions of other records
// have none. A slope that is cut is on the labels' scale.
PoweredMean mean_of(const LabelDraw& draw, const Labels& labels,
                    std::span<const double> predictions, Slope slope) {
  std::vector<double> all_labels, all_predictions;
  for (size_t s = 0; s < draw.sides.size(); ++s) {
    all_labels.insert(all_labels.end(), labels[s].begin(), labels[s].end());
    if (slope != Slope::tuned) continue;
    for (const uint32_t record : draw.sides[s].sample->records) {
      all_predictions.push_back(predictions[record]);
    }
  }
  const int exponent = scaling_exponent(all_labels);
  const int of_predictions = slope == Slope::cut ? exponent : scaling_exponent(all_predictions);
  if (exponent == 0 && of_predictions == 0) return usual_mean(draw, labels, predictions, slope);
  std::vector<std::vector<double>> scaled;
  for (const std::span<const double> of : labels) scaled.push_back(scaled_down(of, exponent));
  PoweredMean result = usual_mean(draw, Labels(scaled.begin(), scaled.end()),
                                  scaled_down(predictions, of_predictions), slope);
  for (double* const value :
       {&result.value, &result.standard_error, &result.interval.low, &result.interval.high}) {
    *value = std::ldexp(*value, exponent);
  }
  for (auto& influence : result.influences) influence.value = std::ldexp(influence.value, exponent);
  result.lambda = std::ldexp(result.lambda, exponent - of_predictions);
  return result;
}

// Of values with weights that sum to 1.
struct Standard {
  double mean = 0, standard_deviation = 0;
  double operator()(double value) const { return (value - mean) / standard_deviation; }
};

Standard standard_of(std::span<const double> values, std::span<const double> weights) {
  Standard standard;
  for (size_t i = 0; i < values.size(); ++i) standard.mean += weights[i] * values[i];
  for (size_t i = 0; i < values.size(); ++i) {
    standard.standard_deviation += weights[i] * std::pow(values[i] - standard.mean, 2);
  }
  standard.standard_deviation = std::sqrt(standard.standard_deviation);
  return standard;
}

}  // namespace

double freedom_by_kurtosis(double n, double kurtosis) {
  return kurtosis > 1 ? 2 * n / (kurtosis - 1) : std::numeric_limits<double>::infinity();
}

PoweredMean powered_mean(const LabelDraw& draw, std::span<const double> predictions, Slope slope) {
  Labels labels;
  for (const Side& side : draw.sides) labels.emplace_back(side.sample->labels);
  return mean_of(draw, labels, predictions, slope);
}

// The first-order error of a correlation r of standardised values is the mean of
// xy - r (x^2 + y^2) / 2, and that of its Fisher transform this over 1 - r^2. Of that, x^2 is known
// of all records: so it is estimated as a mean whose predictions are these squares.
std::optional<PoweredMean> powered_correlation(const LabelDraw& draw,
                                               std::span<const double> predictions, Slope slope) {
  const Side& side = draw.sides.front();
  const LabelledSample& sample = *side.sample;
  std::vector<double> labelled_predictions;
  for (const uint32_t record : sample.labelled) {
    labelled_predictions.push_back(predictions[sample.records[record]]);
  }
  if (is_constant(labelled_predictions) || is_constant(sample.labels)) return std::nullopt;
  const int exponent = scaling_exponent(labelled_predictions);
  labelled_predictions = scaled_down(labelled_predictions, exponent);
  const std::vector<double> labels = scaled_down(sample.labels, scaling_exponent(sample.labels));
  const Standard x = standard_of(labelled_predictions, side.weights);
  const Standard y = standard_of(labels, side.weights);
  double r = 0;
  for (size_t l = 0; l < labelled_predictions.size(); ++l) {
    r += side.weights[l] * x(labelled_predictions[l]) * y(labels[l]);
  }
  constexpr double kLeast = 1e-12;  // less is rounding
  if (1 - std::abs(r) < kLeast) return std::nullopt;
  std::vector<double> errors;
  for (size_t l = 0; l < labelled_predictions.size(); ++l) {
    const double a = x(labelled_predictions[l]), b = y(labels[l]);
    errors.push_back(std::atanh(r) + (a * b - r * (a * a + b * b) / 2) / (1 - r * r));
  }
  std::vector<double> squares;
  if (slope != Slope::none) {
    constexpr double kMost = 1e150;  // the labelled predictions are all but equal beside others
    squares.resize(predictions.size());
    for (const uint32_t record : sample.records) {
      squares[record] = std::pow(x(std::ldexp(predictions[record], -exponent)), 2);
      if (!(squares[record] < kMost)) return std::nullopt;
    }
  }
  const PoweredMean fisher = mean_of(draw, {errors}, squares, slope);
  PoweredMean result;
  result.value = std::tanh(fisher.value);
  result.standard_error = fisher.standard_error * (1 - result.value * result.value);
  result.interval = {std::tanh(fisher.interval.low), std::tanh(fisher.interval.high)};
  result.freedom = fisher.freedom;
  result.p = fisher.p;
  result.lambda = fisher.lambda;
  return result;
}

}  // namespace rubric::stats
