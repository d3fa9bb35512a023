// Inside `estimate`: some answers with their labels, what is estimated of them, and its resamples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eval/estimate/estimate.h"
#include "stats/bootstrap.h"
#include "stats/prediction_powered.h"

namespace rubric::eval {

// Some answers, with the labels among them.
struct LabelledPart {
  stats::LabelledSample sample;  // records are rows, clusters questions
  size_t questions = 0, labelled_questions = 0;
  std::optional<std::string> lacking;  // why nothing can be estimated: "only 3 labels"
};

// `rows` in ascending order. The strata are those of the file and, unless labels have
// probabilities, apart for each system: of several systems one may have more labels than another.
LabelledPart part_of(const LabelledAnswers& answers, std::vector<uint32_t> rows);

// By system.
std::vector<LabelledPart> parts_of_systems(const LabelledAnswers& answers,
                                           std::span<const size_t> rows);

// The answers of all systems; where these together lack labels, as those of a system without any
// do, of the systems that lack none.
LabelledPart part_of_systems(const LabelledAnswers& answers,
                             const std::vector<LabelledPart>& parts);

// A metric's scores of all answers, or what combines several.
using Predictors = std::vector<std::vector<double>>;

// Throws InputError where no system has labels enough or, of several systems, fewer than two have;
// else warns of those without, and of few labels.
void check_systems(const LabelledAnswers& answers, const std::vector<LabelledPart>& parts,
                   std::vector<std::string>& warnings);

// Warns of labels that are no random draw by the metrics' means and variances among them, or else
// by the shares of them in the strata of each metric: of a true draw at most twice in 1,000
// (stats::unlike_random_draws). Probabilities say how labels were drawn, and so does a sheet of
// `choose`: those are not looked at. Returns whether they may be one.
bool check_draw(const LabelledAnswers& answers, uint64_t seed, std::vector<std::string>& warnings);

// Throws InputError for a metric called kCombination beside others; notes constant ones.
void check_metrics(const LabelledAnswers& answers, const std::vector<LabelledPart>& parts,
                   std::vector<std::string>& notes);

// The metrics' scores and, of several, what combines them for each system; 0 of one that lacks
// labels.
Predictors predictors_of(const LabelledAnswers& answers, const std::vector<LabelledPart>& parts);

// An estimate, and how its error comes about.
using Influenced = std::pair<std::optional<Estimate>*, std::vector<stats::PoweredMean::Influence>>;

// Adds bootstrap intervals to estimates, by drawing the labelled questions for all of them at once;
// lambda and combined predictions stay as they are.
void add_bootstrap(const std::vector<Influenced>& estimates,
                   const stats::BootstrapOptions& options);

}  // namespace rubric::eval
