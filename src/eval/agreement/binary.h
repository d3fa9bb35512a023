// Agreement of a metric's scores with labels of two values. Thresholds and probabilities are chosen
// on one half of the questions and measured on the other, both ways.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rubric/agreement.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

using rubric::BinaryAgreement;
using rubric::BinaryLabels;

// Rows with their label and half.
struct BinaryRows {
  std::vector<bool> is_positive;
  std::vector<bool> is_in_second;
};

// nullopt unless there are exactly two values.
std::optional<BinaryLabels> binary_labels(std::span<const double> human);

// Puts the questions in the order of `hashes`, by row, and the later half of them into the second
// half.
std::vector<bool> second_half(const stats::Clusters& questions, std::span<const uint64_t> hashes);

// Whether the rows have both labels, and whether each half has.
bool has_both_labels(const BinaryRows& rows);
bool has_halves(const BinaryRows& rows);

// Values without intervals. The rows must have both labels.
BinaryAgreement binary_agreement(std::span<const double> scores, const BinaryRows& rows);

// By row, whether the threshold of the other half calls it positive.
std::vector<bool> called_positive(std::span<const double> scores, const BinaryRows& rows,
                                  const rubric::ThresholdAgreement& thresholds);

}  // namespace rubric::eval
