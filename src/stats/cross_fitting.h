// One prediction from several, fitted to labels that some records have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

// One prediction for each record from several: the linear combination that fits the labels best, by
// least squares with a small ridge on predictions standardised over all records.
// Labelled records are combined by what was fitted without their fold, so that labels never
// predict themselves; others by the mean of the folds' fits (cross-prediction: Zrnic and Candès
// 2024). Folds are of whole clusters, 10 or as many as there are labelled clusters; of one, all
// records get the mean label.
// predictions[which][record]; `labelled` are the records with a label, in ascending order.
std::vector<double> cross_fitted(std::span<const std::vector<double>> predictions,
                                 std::span<const uint32_t> labelled, std::span<const double> labels,
                                 const Clusters& clusters);

}  // namespace rubric::stats
