// Inside `estimate`: some answers with their labels, what is estimated of them, and its resamples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/estimate/estimate.h"
#include "stats/bootstrap.h"
#include "stats/prediction_powered.h"

namespace rubric::eval {

// Some answers, with the labels among them. Predictions are added for each estimate.
struct LabelledPart {
  std::vector<uint32_t> rows;
  stats::LabelledSample sample;
  stats::Clusters questions;  // of these rows, numbered by themselves
  size_t labelled_questions = 0;
  size_t strata = 1;
  std::optional<std::string> lacking;  // why nothing can be estimated: "3 labels"
};

// `rows` in ascending order. The strata are those of the file, apart for each system: of several
// systems one may have more labels than another.
LabelledPart part_of(const LabelledAnswers& answers, std::vector<uint32_t> rows);

// An estimate with its error by question.
struct Influenced {
  stats::PoweredMean mean;
  std::vector<double> by_question;  // of all answers
};

// A system's estimates in a group: from labels alone, then with each predictor.
struct SystemWork {
  LabelledPart part;
  std::vector<Influenced> estimates;  // empty if something is lacking
};

// A metric's scores of all answers, or what combines several.
using Predictors = std::vector<std::vector<double>>;

// Adds bootstrap intervals to the means and differences of a group, whose answers are `group` and
// whose systems are `works`. Questions are drawn whole, for all systems at once; lambda stays as it
// is for all answers, and so do the combined predictions.
void add_bootstrap(const LabelledAnswers& answers, const Predictors& predictors,
                   const LabelledPart& group, const std::vector<SystemWork>& works,
                   const stats::BootstrapOptions& options, GroupEstimates& estimates);

}  // namespace rubric::eval
