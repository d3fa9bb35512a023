#include "eval/agreement/agreement_notes.h"

#include "core/error.h"

namespace rubric {
namespace {

std::string place(const GroupAgreement& group) {
  return group.name.empty() ? "all rows" : group.name;
}

// Williams' test takes rows as independent.
bool tests_hold(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  return agreement.options.test == AgreementTest::permutation || all.questions == all.n;
}

// "" when fewer than two metrics have a correlation.
std::string best_note(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  std::vector<size_t> order = by_agreement(all);
  std::erase_if(order, [&](size_t i) { return !all.metrics[i].correlations.pearson; });
  if (order.size() < 2) return "";
  const std::string best = agreement.metrics[order[0]] + " agrees best (Pearson's r)";
  if (!tests_hold(agreement)) return best;
  constexpr double kLevel = 0.05;
  std::vector<std::string> similar;
  for (size_t i = 1; i < order.size(); ++i) {
    const MetricTest* test = find_test(agreement.tests, all.name, order[0], order[i]);
    if (test == nullptr || test->corrected_p >= kLevel) {
      similar.push_back(agreement.metrics[order[i]]);
    }
  }
  return best + "; " +
         (similar.empty() ? "its lead over every other is significant at 0.05"
                          : "not told apart from it at 0.05: " + join(similar));
}

std::string undefined_note(const Agreement& agreement, const GroupAgreement& group) {
  if (group.n < 2) return place(group) + ": one row, correlations are undefined";
  if (group.is_human_constant) {
    return place(group) + ": all human labels are the same, correlations are undefined";
  }
  std::vector<std::string> constant;
  for (size_t i = 0; i < group.metrics.size(); ++i) {
    if (!group.metrics[i].correlations.pearson) constant.push_back(agreement.metrics[i]);
  }
  if (constant.empty()) return "";
  return place(group) + ": all scores are the same, correlations are undefined for " +
         join(constant);
}

bool shares_questions(const GroupAgreement& group) {
  return group.questions < group.n;
}

// What the intervals are of, and what they and the tests take as independent.
std::vector<std::string> resampling_notes(const Agreement& agreement) {
  const std::string resamples = std::to_string(agreement.options.bootstrap.resamples);
  const std::string unit = agreement.has_questions ? "question" : "record";
  std::vector<std::string> notes = {"95% intervals of " + resamples + " bootstrap resamples"};
  for (const GroupAgreement& group : agreement.groups) {
    if (!shares_questions(group)) continue;
    notes.push_back(place(group) + ": " + std::to_string(group.n) + " rows of " +
                    std::to_string(group.questions) + " " + unit + "s, resampled by " + unit);
  }
  if (!agreement.has_questions && !shares_questions(agreement.groups.front())) {
    notes.emplace_back("no row has a \"question\": rows are taken as independent");
  }
  if (!tests_hold(agreement) && !agreement.tests.empty()) {
    notes.emplace_back(
        "Williams' test takes rows as independent, which answers to one question are not: "
        "--test permutation exchanges them together");
  }
  return notes;
}

std::string systems_note(const SystemLevel& systems) {
  if (systems.systems.size() == 1) {
    return "one system only (" + systems.systems[0] + "): no figures at the level of systems";
  }
  if (systems.systems.size() == 2) {
    return "two systems always correlate by 1 or -1: only their order is given";
  }
  return "";
}

}  // namespace

std::vector<std::string> agreement_notes(const Agreement& agreement) {
  std::vector<std::string> notes = resampling_notes(agreement);
  notes.insert(notes.begin(), best_note(agreement));
  if (agreement.unlabelled > 0) {
    notes.push_back(std::to_string(agreement.unlabelled) +
                    " rows have no human label and are left out");
  }
  constexpr int64_t kFewest = 4;
  for (const GroupAgreement& group : agreement.groups) {
    notes.push_back(undefined_note(agreement, group));
    if (group.n >= kFewest || agreement.metrics.size() < 2) continue;
    notes.push_back(place(group) + ": too few rows (" + std::to_string(group.n) +
                    ") to test metrics against each other");
  }
  if (agreement.systems) notes.push_back(systems_note(*agreement.systems));
  std::erase(notes, "");
  return notes;
}

}  // namespace rubric
