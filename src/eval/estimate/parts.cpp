#include "eval/estimate/parts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"

namespace rubric::eval {
namespace {

constexpr size_t kFewestInStratum = 2;

using StratumKey = std::pair<uint32_t, std::string>;

// What a part lacks for estimates; nullopt: nothing.
std::optional<std::string> lacking_labels(const LabelledPart& part,
                                          const std::vector<StratumKey>& strata) {
  const std::vector<double>& labels = part.sample.labels;
  if (std::ssize(labels) < kFewestLabels) {
    return labels.empty() ? "no label" : "only " + counted(std::ssize(labels), "label");
  }
  if (std::ranges::all_of(labels, [&](double label) { return label == labels.front(); })) {
    return counted(std::ssize(labels), "label") + " that are all equal";
  }
  std::vector<size_t> counts(part.strata);
  for (const uint32_t row : part.sample.labelled) {
    ++counts[part.sample.strata.empty() ? 0 : part.sample.strata[row]];
  }
  for (size_t i = 0; i < strata.size(); ++i) {
    const size_t count = counts[part.sample.strata[i]];
    if (count >= kFewestInStratum) continue;
    return (count == 0 ? "no label" : "only one label") + std::string(" in the stratum ") +
           strata[i].second;
  }
  return std::nullopt;
}

}  // namespace

LabelledPart part_of(const LabelledAnswers& answers, std::vector<uint32_t> rows) {
  LabelledPart part{std::move(rows), {}, {}, 0, 1, {}};
  std::vector<uint32_t> questions;
  std::vector<StratumKey> strata;
  std::set<uint32_t> labelled_questions, systems;
  size_t next = 0;
  for (size_t i = 0; i < part.rows.size(); ++i) {
    const uint32_t row = part.rows[i];
    questions.push_back(answers.questions.of[row]);
    systems.insert(answers.systems[row]);
    strata.emplace_back(answers.systems[row], answers.strata.empty() ? "" : answers.strata[row]);
    while (next < answers.labelled.size() && answers.labelled[next] < row) ++next;
    if (next == answers.labelled.size() || answers.labelled[next] != row) continue;
    labelled_questions.insert(questions.back());
    part.sample.labelled.push_back(static_cast<uint32_t>(i));
    part.sample.labels.push_back(answers.labels[next]);
    if (!answers.probabilities.empty()) {
      part.sample.probabilities.push_back(answers.probabilities[next]);
    }
  }
  part.questions = stats::clusters_by(questions);
  part.labelled_questions = labelled_questions.size();
  const bool has_strata = !answers.strata.empty() || systems.size() > 1;
  if (!has_strata || !answers.probabilities.empty()) strata.clear();
  if (!strata.empty()) {
    const stats::Clusters clusters = stats::clusters_by(strata);
    part.sample.strata = clusters.of;
    part.strata = clusters.count;
  }
  part.lacking = lacking_labels(part, strata);
  return part;
}

}  // namespace rubric::eval
