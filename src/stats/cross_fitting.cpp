#include "stats/cross_fitting.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/random.h"
#include "stats/correlation.h"

namespace rubric::stats {

namespace {

// The b with the least |sum_k b[k] columns[k] - y|^2 + sum_k penalties[k] b[k]^2. Columns and y
// have mean 0.
std::vector<double> ridge(std::span<const std::vector<double>> columns, std::span<const double> y,
                          std::span<const double> penalties) {
  const size_t size = columns.size();
  const auto product = [](std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  // Cholesky's decomposition of the columns' products, which then solves both triangles.
  std::vector<std::vector<double>> lower(size, std::vector<double>(size));
  std::vector<double> solution(size);
  for (size_t i = 0; i < size; ++i) {
    solution[i] = product(columns[i], y);
    for (size_t j = 0; j <= i; ++j) {
      double value = product(columns[i], columns[j]) + (i == j ? penalties[i] : 0);
      for (size_t k = 0; k < j; ++k) value -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? std::sqrt(std::max(value, 0.0)) : value / lower[j][j];
    }
    if (lower[i][i] == 0) lower[i][i] = 1;  // a constant column: its products are 0
  }
  for (size_t i = 0; i < size; ++i) {
    for (size_t k = 0; k < i; ++k) solution[i] -= lower[i][k] * solution[k];
    solution[i] /= lower[i][i];
  }
  for (size_t i = size; i-- > 0;) {
    for (size_t k = i + 1; k < size; ++k) solution[i] -= lower[k][i] * solution[k];
    solution[i] /= lower[i][i];
  }
  return solution;
}

// A linear combination of predictions with an intercept.
struct LinearFit {
  std::vector<double> slopes;
  double intercept = 0;

  double operator()(std::span<const std::vector<double>> predictions, size_t record) const {
    double value = intercept;
    for (size_t k = 0; k < slopes.size(); ++k) value += slopes[k] * predictions[k][record];
    return value;
  }
};

// `variances` are those of the predictions of all records.
LinearFit fit(std::span<const std::vector<double>> predictions, std::span<const double> variances,
              std::span<const uint32_t> records, std::vector<double> labels) {
  // Two metrics may nearly agree where there are labels, and not elsewhere: without a penalty their
  // difference could get any coefficient. How much the fit shrinks altogether is lambda's matter.
  constexpr double kPenalty = 0.03;  // of what as many records as have labels vary
  std::vector<std::vector<double>> columns(predictions.size());
  std::vector<double> means;
  const auto centre = [](std::vector<double>& values) {
    const double middle = mean(values);
    for (double& value : values) value -= middle;
    return middle;
  };
  for (size_t k = 0; k < columns.size(); ++k) {
    for (const uint32_t record : records) columns[k].push_back(predictions[k][record]);
    means.push_back(centre(columns[k]));
  }
  LinearFit fitted;
  fitted.intercept = centre(labels);
  std::vector<double> penalties;
  for (const double variance : variances) {
    penalties.push_back(kPenalty * variance * static_cast<double>(records.size()));
  }
  fitted.slopes = ridge(columns, labels, penalties);
  for (size_t k = 0; k < means.size(); ++k) fitted.intercept -= fitted.slopes[k] * means[k];
  return fitted;
}

// The fold of each labelled record; the folds are as even as whole clusters allow.
std::vector<size_t> folds_of(std::span<const uint32_t> labelled, const Clusters& clusters,
                             size_t& count) {
  constexpr size_t kFolds = 10;
  std::vector<uint32_t> order;
  for (const uint32_t record : labelled) order.push_back(clusters.of[record]);
  std::ranges::sort(order);
  order.erase(std::ranges::unique(order).begin(), order.end());
  std::ranges::sort(order, {}, [](uint32_t cluster) { return mix(cluster); });  // as if drawn
  count = std::min(kFolds, order.size());
  std::map<uint32_t, size_t> fold;
  for (size_t i = 0; i < order.size(); ++i) fold[order[i]] = i % count;
  std::vector<size_t> folds;
  for (const uint32_t record : labelled) folds.push_back(fold[clusters.of[record]]);
  return folds;
}

}  // namespace

std::vector<double> cross_fitted(std::span<const std::vector<double>> all_predictions,
                                 std::span<const uint32_t> labelled, std::span<const double> labels,
                                 const Clusters& clusters) {
  std::vector<std::vector<double>> predictions;  // so that no square vanishes or overflows
  for (const std::vector<double>& of : all_predictions) {
    predictions.push_back(scaled_down(of, scaling_exponent(of)));
  }
  size_t count = 0;
  const std::vector<size_t> folds = folds_of(labelled, clusters, count);
  if (count == 1) return std::vector<double>(predictions.front().size(), mean(labels));
  std::vector<double> variances;
  for (const std::vector<double>& prediction : predictions) {
    Moments moments;
    for (const double value : prediction) moments.add(value);
    variances.push_back(moments.squares / static_cast<double>(moments.n));
  }
  std::vector<LinearFit> fits;
  LinearFit mean_fit{std::vector<double>(predictions.size()), 0};
  for (size_t fold = 0; fold < count; ++fold) {
    std::vector<uint32_t> records;
    std::vector<double> of_records;
    for (size_t l = 0; l < labelled.size(); ++l) {
      if (folds[l] == fold) continue;
      records.push_back(labelled[l]);
      of_records.push_back(labels[l]);
    }
    fits.push_back(fit(predictions, variances, records, std::move(of_records)));
    mean_fit.intercept += fits.back().intercept / static_cast<double>(count);
    for (size_t k = 0; k < predictions.size(); ++k) {
      mean_fit.slopes[k] += fits.back().slopes[k] / static_cast<double>(count);
    }
  }
  std::vector<double> combined;
  for (size_t i = 0; i < predictions.front().size(); ++i) {
    combined.push_back(mean_fit(predictions, i));
  }
  for (size_t l = 0; l < labelled.size(); ++l) {
    combined[labelled[l]] = fits[folds[l]](predictions, labelled[l]);
  }
  return combined;
}

}  // namespace rubric::stats
