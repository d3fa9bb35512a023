#include <algorithm>
#include <span>

#include "eval/estimate/parts.h"

namespace rubric::eval {
namespace {

// The questions that add to the error of any estimate, in ascending order.
std::vector<uint32_t> labelled_questions(const std::vector<Influenced>& estimates) {
  std::vector<uint32_t> questions;
  for (const auto& [estimate, influences] : estimates) {
    for (const auto& influence : influences) questions.push_back(influence.cluster);
  }
  std::ranges::sort(questions);
  questions.erase(std::ranges::unique(questions).begin(), questions.end());
  return questions;
}

}  // namespace

void add_bootstrap(const std::vector<Influenced>& estimates,
                   const stats::BootstrapOptions& options) {
  const std::vector<uint32_t> questions = labelled_questions(estimates);
  if (questions.empty()) return;
  stats::ClusterSums sums{.columns = estimates.size(),
                          .sums = std::vector<double>(questions.size() * estimates.size()),
                          .records = std::vector<double>(questions.size(), 1)};
  for (size_t e = 0; e < estimates.size(); ++e) {
    const auto& influences = estimates[e].second;
    double sum = 0;
    for (const auto& influence : influences) sum += influence.value;
    size_t place = 0;
    for (const auto& influence : influences) {  // both are in ascending order
      while (questions[place] != influence.cluster) ++place;
      // Their sum is what the estimate was off by, if it is 0 of the questions as they are.
      sums.sums[place * estimates.size() + e] =
          influence.value - sum / static_cast<double>(influences.size());
    }
  }
  const stats::ClusterSums* const all[] = {&sums};
  const std::vector<stats::Interval> errors =
      stats::bootstrap_sums(all, options, [](std::span<const double> of_resample, double) {
        return std::vector<double>(of_resample.begin(), of_resample.end());
      });
  for (size_t e = 0; e < estimates.size(); ++e) {
    Estimate& estimate = **estimates[e].first;
    estimate.bootstrap = {estimate.value + errors[e].low, estimate.value + errors[e].high};
  }
}

}  // namespace rubric::eval
