#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "eval/estimate/estimate.h"
#include "eval/report/table.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

// Which predictor the sentences are about: the combination, or the only metric.
size_t chosen_predictor(const Estimates& result) {
  return result.predictors.size() - 1;
}

std::string estimate_cell(const std::optional<Estimate>& estimate) {
  return estimate ? cell(estimate->value, estimate->interval) : "–";
}

std::string quoted(const std::string& name) {
  return "“" + name + "”";
}

// One system's mean, beside what labels alone say.
std::string mean_sentence(const Estimates& result) {
  const SystemEstimates& system = result.groups.front().systems.front();
  if (system.labels == system.n && system.labels_alone) {
    return "The mean " + result.human + " is " + cell(system.labels_alone->value) + ": all " +
           counted(system.n, "answer has", "answers have") + " a label.";
  }
  const size_t chosen = chosen_predictor(result);
  return "The mean " + result.human + " is estimated at " + estimate_cell(system.with[chosen]) +
         " from labels and " + quoted(result.predictors[chosen]) + "; labels alone say " +
         estimate_cell(system.labels_alone) + ".";
}

// The difference of the best system to another, and its interval, whichever of them is first.
Estimate lead_of(const EstimatedDifference& pair, size_t best, size_t chosen) {
  Estimate lead = *pair.with[chosen];
  if (pair.second != best) return lead;
  lead.value = -lead.value;
  lead.interval = {-lead.interval.high, -lead.interval.low};
  return lead;
}

// Sums of the same labels in another order differ in the last digits.
bool is_tie(const Estimate& lead, const Estimate& best) {
  constexpr double kRounding = 1e-12;
  return std::abs(lead.value) <= kRounding * std::abs(best.value);
}

// On the systems whose answers all have labels, as those of the best: `ahead` it leads over.
std::string exact_sentence(const std::vector<std::string>& ahead,
                           const std::vector<std::string>& tied) {
  const size_t count = ahead.size() + tied.size();
  if (count == 0) return "";
  std::vector<std::string> facts;
  if (!ahead.empty()) facts.push_back("the lead over " + join(ahead) + " is exact");
  if (!tied.empty()) {
    facts.push_back(join(tied) + (tied.size() == 1 ? " has" : " have") + " the same mean");
  }
  return std::string(" All answers of ") + (count == 1 ? "both" : "these systems") +
         " have a label, so " + join(facts, " and ") +
         " for these answers; rubric compare tests whether it holds for other questions.";
}

}  // namespace

std::string best_sentence(const Estimates& result, std::span<const Measurement> measurements) {
  constexpr double kSignificant = 0.05;
  const GroupEstimates& all = result.groups.front();
  if (all.systems.size() == 1) return mean_sentence(result);
  const size_t chosen = chosen_predictor(result);
  size_t best = 0;
  for (size_t s = 1; s < all.systems.size(); ++s) {
    const auto &estimate = all.systems[s].with[chosen], &most = all.systems[best].with[chosen];
    if (estimate && (!most || estimate->value > most->value)) best = s;
  }
  std::vector<std::string> apart, similar, exact, tied;
  for (const EstimatedDifference& pair : all.differences) {
    if ((pair.first != best && pair.second != best) || !pair.with[chosen]) continue;
    const Estimate lead = lead_of(pair, best, chosen);
    const std::string& other = result.systems[pair.first == best ? pair.second : pair.first];
    const std::string name = quoted(other);
    if (pair.is_exact && is_tie(lead, *all.systems[best].with[chosen])) {
      tied.push_back(name);
      continue;
    }
    const std::string text = name + " (difference " + cell(lead.value, lead.interval) + ")";
    if (pair.is_exact) {
      exact.push_back(text);
      continue;
    }
    const Keys keys{.metric = result.predictors[chosen],
                    .system = result.systems[best],
                    .against = other,
                    .source = "both",
                    .method = "t"};
    const Measurement* const test = find_difference(measurements, keys, &Keys::system);
    const bool is_apart = lead.value > 0 && test->p_holm.value() < kSignificant;
    (is_apart ? apart : similar).push_back(text);
  }
  std::vector<std::string> without;
  for (size_t s = 0; s < all.systems.size(); ++s) {
    if (!all.systems[s].with[chosen]) without.push_back(quoted(result.systems[s]));
  }
  const std::string of =
      without.empty() ? "" : "Of the systems with an estimate, without " + join(without) + ", ";
  std::vector<std::string> highest = {quoted(result.systems[best])};
  highest.insert(highest.end(), tied.begin(), tied.end());
  std::string sentence = of + join(highest) +
                         (tied.empty() ? " has the highest mean " : " have the highest mean ") +
                         result.human + " by labels and " + quoted(result.predictors[chosen]) +
                         ", " + estimate_cell(all.systems[best].with[chosen]);
  if (!apart.empty()) sentence += "; it is significantly higher than that of " + join(apart);
  if (!similar.empty()) {
    sentence += "; it is not significantly higher than that of " + join(similar);
  }
  const auto pairs = std::ranges::count_if(all.differences, [](const EstimatedDifference& pair) {
    return pair.labels_alone.has_value() && !pair.is_exact;
  });
  if (!apart.empty() || !similar.empty()) sentence += ", at 5%";
  if (pairs > 1) sentence += " with Holm's correction for " + counted(pairs, "pair");
  sentence += ".";
  return sentence + exact_sentence(exact, tied);
}

std::string worth_sentence(const Estimates& result) {
  const size_t chosen = chosen_predictor(result);
  std::vector<std::string> parts;
  const std::vector<SystemEstimates>& systems = result.groups.front().systems;
  const auto is_all_labelled = [](const SystemEstimates& of) { return of.labels == of.n; };
  if (std::ranges::all_of(systems, is_all_labelled)) return "";
  for (size_t s = 0; s < systems.size(); ++s) {
    const std::optional<Estimate>& estimate = systems[s].with[chosen];
    if (!estimate || !estimate->effective_labels) continue;
    const std::string of = systems.size() > 1 ? " of " + quoted(result.systems[s]) : "";
    parts.push_back("the " + std::to_string(systems[s].labels) + " labels" + of + " are worth " +
                    format_fixed(*estimate->effective_labels, 0));
  }
  if (parts.empty()) return "How many labels the metric is worth cannot be said.";
  return "With " + quoted(result.predictors[chosen]) + " " + join(parts) +
         ": so many labels alone would give as narrow an interval.";
}

}  // namespace rubric::eval
