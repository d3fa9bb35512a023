#include "eval/estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "eval/estimate/parts.h"
#include "eval/resampling.h"
#include "stats/cross_fitting.h"
#include "stats/prediction_powered.h"

namespace rubric::eval {
namespace {

Influenced influenced(stats::PoweredMean mean, const LabelledPart& part,
                      const stats::Clusters& questions) {
  Influenced influenced{std::move(mean), std::vector<double>(questions.count)};
  for (size_t i = 0; i < part.rows.size(); ++i) {
    influenced.by_question[questions.of[part.rows[i]]] += influenced.mean.influence[i];
  }
  return influenced;
}

std::optional<Estimate> estimate_of(double value, std::span<const double> by_question,
                                    size_t labelled, size_t strata) {
  const auto error = stats::error_of(value, by_question, labelled, strata);
  std::optional<Estimate> estimate;
  if (!error) return estimate;
  estimate.emplace();
  estimate->value = value;
  estimate->standard_error = error->standard_error;
  estimate->interval = error->interval;
  return estimate;
}

void add_effective_labels(const std::optional<Estimate>& alone, int64_t labels,
                          std::optional<Estimate>& estimate) {
  if (!alone || !estimate || estimate->standard_error == 0) return;
  const double ratio = alone->standard_error / estimate->standard_error;
  estimate->effective_labels = static_cast<double>(labels) * ratio * ratio;
}

SystemWork work_on(const LabelledAnswers& answers, const Predictors& predictors,
                   std::vector<uint32_t> rows) {
  SystemWork work{part_of(answers, std::move(rows)), {}};
  if (work.part.lacking) return work;
  stats::LabelledSample sample = work.part.sample;
  const auto add = [&](const stats::PoweredMean& mean) {
    work.estimates.push_back(influenced(mean, work.part, answers.questions));
  };
  sample.predictions.assign(work.part.rows.size(), 0);
  add(stats::powered_mean(sample, 0));
  for (const std::vector<double>& predictor : predictors) {
    for (size_t i = 0; i < work.part.rows.size(); ++i) {
      sample.predictions[i] = predictor[work.part.rows[i]];
    }
    add(stats::powered_mean(sample));
  }
  return work;
}

// The mean of a metric over all answers of a part, as if it were the label of each.
std::optional<Estimate> metric_mean(const LabelledAnswers& answers, size_t metric,
                                    const LabelledPart& part) {
  stats::LabelledSample sample;
  for (const uint32_t row : part.rows) sample.labels.push_back(answers.scores[metric][row]);
  sample.predictions = sample.labels;
  sample.labelled.resize(part.rows.size());
  std::iota(sample.labelled.begin(), sample.labelled.end(), 0U);
  const Influenced mean = influenced(stats::powered_mean(sample, 0), part, answers.questions);
  return estimate_of(mean.mean.value, mean.by_question, part.questions.count, 1);
}

SystemEstimates system_estimates(const LabelledAnswers& answers, const SystemWork& work) {
  const LabelledPart& part = work.part;
  SystemEstimates system;
  system.n = std::ssize(part.rows);
  system.questions = static_cast<int64_t>(part.questions.count);
  system.labels = std::ssize(part.sample.labels);
  system.labelled_questions = static_cast<int64_t>(part.labelled_questions);
  for (size_t m = 0; m < answers.metrics.size(); ++m) {
    system.metric_alone.push_back(part.rows.empty() ? std::nullopt : metric_mean(answers, m, part));
  }
  for (size_t e = 0; e < work.estimates.size(); ++e) {
    const Influenced& of = work.estimates[e];
    std::optional<Estimate> estimate =
        estimate_of(of.mean.value, of.by_question, part.labelled_questions, part.strata);
    if (e == 0) {
      system.labels_alone = estimate;
      continue;
    }
    if (estimate) estimate->lambda = of.mean.lambda;
    add_effective_labels(system.labels_alone, system.labels, estimate);
    system.with.push_back(estimate);
  }
  return system;
}

EstimatedDifference difference_of(const std::vector<SystemWork>& works, size_t first,
                                  size_t second) {
  EstimatedDifference difference{first, second, {}, {}};
  const SystemWork &one = works[first], &other = works[second];
  // Of the fewer labels: these are what limits the difference.
  const size_t questions = std::min(one.part.labelled_questions, other.part.labelled_questions);
  const size_t strata = std::max(one.part.strata, other.part.strata);
  const int64_t labels =
      std::min(std::ssize(one.part.sample.labels), std::ssize(other.part.sample.labels));
  for (size_t e = 0; e < std::min(one.estimates.size(), other.estimates.size()); ++e) {
    std::vector<double> by_question = one.estimates[e].by_question;
    for (size_t q = 0; q < by_question.size(); ++q) {
      by_question[q] -= other.estimates[e].by_question[q];
    }
    const double value = one.estimates[e].mean.value - other.estimates[e].mean.value;
    std::optional<Estimate> estimate = estimate_of(value, by_question, questions, strata);
    if (e == 0) {
      difference.labels_alone = estimate;
      continue;
    }
    add_effective_labels(difference.labels_alone, labels, estimate);
    difference.with.push_back(estimate);
  }
  return difference;
}

EstimatedCorrelation correlation_of_metric(const LabelledAnswers& answers, size_t metric,
                                           const LabelledPart& part) {
  stats::LabelledSample sample = part.sample;
  for (const uint32_t row : part.rows) sample.predictions.push_back(answers.scores[metric][row]);
  const auto estimate = [&](const std::optional<stats::PoweredMean>& mean) {
    if (!mean) return std::optional<Estimate>();
    const Influenced of = influenced(*mean, part, answers.questions);
    std::optional<Estimate> found =
        estimate_of(mean->value, of.by_question, part.labelled_questions, part.strata);
    if (found) {
      found->value = std::clamp(found->value, -1.0, 1.0);
      found->interval = {std::max(found->interval.low, -1.0), std::min(found->interval.high, 1.0)};
    }
    return found;
  };
  EstimatedCorrelation correlation;
  if (part.lacking) return correlation;
  correlation.labels_alone = estimate(stats::powered_correlation(sample, 0));
  std::optional<Estimate> corrected = estimate(stats::powered_correlation(sample));
  add_effective_labels(correlation.labels_alone, std::ssize(part.sample.labels), corrected);
  correlation.corrected = corrected;
  return correlation;
}

std::vector<std::vector<uint32_t>> by_system(const LabelledAnswers& answers,
                                             std::span<const size_t> members) {
  std::vector<std::vector<uint32_t>> rows(answers.system_names.size());
  for (const size_t row : members) {
    rows[answers.systems[row]].push_back(static_cast<uint32_t>(row));
  }
  return rows;
}

std::string system_prefix(const std::string& name) {
  return name.empty() ? "" : name + ": ";
}

GroupEstimates estimate_group(const LabelledAnswers& answers, const Predictors& predictors,
                              const Group& group, const stats::BootstrapOptions& options,
                              std::vector<std::string>& notes) {
  GroupEstimates estimates{group.name, {}, {}, {}};
  std::vector<SystemWork> works;
  for (std::vector<uint32_t>& rows : by_system(answers, group.members)) {
    works.push_back(work_on(answers, predictors, std::move(rows)));
    estimates.systems.push_back(system_estimates(answers, works.back()));
    estimates.systems.back().with.resize(predictors.size());
    const std::optional<std::string>& lacking = works.back().part.lacking;
    const std::string& name = answers.system_names[estimates.systems.size() - 1];
    if (lacking) {
      notes.push_back(system_prefix(name) + "no estimate in " + group.name + ", with " + *lacking);
    }
  }
  for (size_t a = 0; a < works.size(); ++a) {
    for (size_t b = a + 1; b < works.size(); ++b) {
      estimates.differences.push_back(difference_of(works, a, b));
      estimates.differences.back().with.resize(predictors.size());
    }
  }
  const LabelledPart all =
      part_of(answers, std::vector<uint32_t>(group.members.begin(), group.members.end()));
  for (size_t m = 0; m < answers.metrics.size(); ++m) {
    estimates.correlations.push_back(correlation_of_metric(answers, m, all));
  }
  add_bootstrap(answers, predictors, all, works, options, estimates);
  return estimates;
}

// Every system needs labels from which something can be estimated.
void check_systems(const LabelledAnswers& answers, const std::vector<std::vector<uint32_t>>& rows,
                   std::vector<std::string>& warnings) {
  constexpr size_t kFewQuestions = 30;
  std::vector<std::string> lacking;
  for (size_t s = 0; s < rows.size(); ++s) {
    const LabelledPart part = part_of(answers, rows[s]);
    const std::string prefix = system_prefix(answers.system_names[s]);
    if (part.lacking) {
      lacking.push_back(prefix + *part.lacking);
    } else if (part.labelled_questions < kFewQuestions) {
      warnings.push_back(
          prefix + counted(std::ssize(part.sample.labels), "label") + " of " +
          counted(static_cast<int64_t>(part.labelled_questions), "question") +
          ": below 30 labelled questions, 95% intervals may hold the mean less often");
      log_warning(warnings.back());
    }
  }
  if (lacking.empty()) return;
  throw InputError("too few labels to estimate a mean: " + join_some(lacking), "",
                   "label at least " + std::to_string(kFewestLabels) +
                       " answers of each system, and two in each stratum, drawn at random; or "
                       "leave out the rows of such a system");
}

// The metrics' scores and, of several, what combines them for each system.
Predictors predictors_of(const LabelledAnswers& answers,
                         const std::vector<std::vector<uint32_t>>& systems) {
  Predictors predictors = answers.scores;
  if (predictors.size() < 2) return predictors;
  std::vector<double> combined(answers.systems.size());
  for (const std::vector<uint32_t>& rows : systems) {
    const LabelledPart part = part_of(answers, rows);
    std::vector<std::vector<double>> scores(answers.scores.size());
    for (size_t m = 0; m < scores.size(); ++m) {
      for (const uint32_t row : rows) scores[m].push_back(answers.scores[m][row]);
    }
    const std::vector<double> of_system =
        stats::cross_fitted(scores, part.sample.labelled, part.sample.labels, part.questions);
    for (size_t i = 0; i < rows.size(); ++i) combined[rows[i]] = of_system[i];
  }
  predictors.push_back(std::move(combined));
  return predictors;
}

}  // namespace

EstimateResult estimate(const LabelledAnswers& answers, const std::string& human,
                        const stats::BootstrapOptions& options) {
  EstimateResult result;
  result.human = human;
  result.metrics = result.predictors = answers.metrics;
  if (answers.metrics.size() > 1) result.predictors.emplace_back("combination");
  result.systems = answers.system_names;
  result.notes = answers.notes;
  Group all{"", std::vector<size_t>(answers.systems.size())};
  std::iota(all.members.begin(), all.members.end(), size_t{0});
  const std::vector<std::vector<uint32_t>> systems = by_system(answers, all.members);
  check_systems(answers, systems, result.warnings);
  const Predictors predictors = predictors_of(answers, systems);
  std::vector<Group> groups;
  if (!answers.groups.empty()) {
    groups = group_by(answers.groups.size(), [&](size_t i) { return answers.groups[i]; });
  }
  groups.insert(groups.begin(), std::move(all));
  for (const Group& group : groups) {
    end_if_stop_requested();
    result.groups.push_back(estimate_group(answers, predictors, group, options, result.notes));
  }
  return result;
}

}  // namespace rubric::eval
