#include "eval/estimate/parts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

constexpr int64_t kFewestInStratum = 2;

// A value of --strata and, of the answers of several systems, the system; with probabilities 0.
using StratumKey = std::pair<uint32_t, uint32_t>;

size_t count_distinct(std::vector<uint32_t> numbers) {
  if (!std::ranges::is_sorted(numbers)) std::ranges::sort(numbers);
  return static_cast<size_t>(std::ranges::unique(numbers).begin() - numbers.begin());
}

// What a part lacks for estimates; nullopt: nothing. names[stratum].
std::optional<std::string> lacking_labels(const LabelledPart& part,
                                          const std::vector<std::string>& names) {
  const stats::LabelledSample& sample = part.sample;
  if (std::ssize(sample.labels) < kFewestLabels) {
    return sample.labels.empty() ? "no label"
                                 : "only " + counted(std::ssize(sample.labels), "label");
  }
  if (stats::is_constant(sample.labels)) {
    return counted(std::ssize(sample.labels), "label") + " that are all equal";
  }
  std::vector<std::vector<uint32_t>> questions(std::max<size_t>(names.size(), 1));
  for (const uint32_t record : sample.labelled) {
    questions[sample.stratum(record)].push_back(sample.cluster(record));
  }
  if (part.labelled_questions < 2) {
    return counted(std::ssize(sample.labels), "label") + " of only one question";
  }
  for (size_t h = 0; h < questions.size(); ++h) {
    const std::string in = names.empty() || names[h].empty() ? "" : " in the stratum " + names[h];
    const int64_t labels = std::ssize(questions[h]);
    if (!sample.drawn.empty()) {  // other labels of the stratum count as well
      if (sample.drawn[h] < kFewestInStratum) return "labels of only one question" + in;
      continue;
    }
    if (labels == 0) return "no label" + in;
    if (labels < kFewestInStratum) return "only one label" + in;
    if (count_distinct(questions[h]) < 2) {
      return counted(labels, "label") + " of only one question" + in;
    }
  }
  return std::nullopt;
}

}  // namespace

LabelledPart part_of(const LabelledAnswers& answers, std::vector<uint32_t> rows) {
  LabelledPart part;
  stats::LabelledSample& sample = part.sample;
  sample.records = std::move(rows);
  std::map<StratumKey, uint32_t> strata;
  std::vector<std::string> names;
  std::vector<uint32_t> labelled_questions;
  size_t next = 0;
  const bool has_probabilities = !answers.probabilities.empty();
  for (size_t i = 0; i < sample.records.size(); ++i) {
    const uint32_t row = sample.records[i];
    sample.clusters.push_back(answers.questions.of[row]);
    sample.strata.push_back(0);
    while (next < answers.labelled.size() && answers.labelled[next] < row) ++next;
    const bool is_labelled = next < answers.labelled.size() && answers.labelled[next] == row;
    if (is_labelled || !has_probabilities) {
      const uint32_t of_file = answers.strata.empty() ? 0 : answers.strata[row];
      const auto [entry, is_new] = strata.emplace(
          StratumKey{has_probabilities ? 0 : answers.systems[row], of_file}, strata.size());
      if (is_new) names.push_back(answers.strata.empty() ? "" : answers.stratum_names[of_file]);
      if (is_new && !answers.drawn.empty()) sample.drawn.push_back(answers.drawn[of_file]);
      sample.strata.back() = entry->second;
    }
    if (!is_labelled) continue;
    labelled_questions.push_back(sample.clusters.back());
    sample.labelled.push_back(static_cast<uint32_t>(i));
    sample.labels.push_back(answers.labels[next]);
    if (has_probabilities) sample.probabilities.push_back(answers.probabilities[next]);
  }
  if (names.size() < 2) sample.strata.clear();
  part.questions = count_distinct(sample.clusters);
  part.labelled_questions = count_distinct(std::move(labelled_questions));
  part.lacking = lacking_labels(part, names);
  return part;
}

std::vector<LabelledPart> parts_of_systems(const LabelledAnswers& answers,
                                           std::span<const size_t> rows) {
  std::vector<std::vector<uint32_t>> of_systems(answers.system_names.size());
  for (const size_t row : rows) {
    of_systems[answers.systems[row]].push_back(static_cast<uint32_t>(row));
  }
  std::vector<LabelledPart> parts;
  for (std::vector<uint32_t>& of_system : of_systems)
    parts.push_back(part_of(answers, std::move(of_system)));
  return parts;
}

LabelledPart part_of_systems(const LabelledAnswers& answers,
                             const std::vector<LabelledPart>& parts) {
  const auto pooled = [&](bool takes_lacking) {
    std::vector<uint32_t> rows;
    for (const LabelledPart& part : parts) {
      if (part.lacking && !takes_lacking) continue;
      rows.insert(rows.end(), part.sample.records.begin(), part.sample.records.end());
    }
    std::ranges::sort(rows);
    return part_of(answers, std::move(rows));
  };
  LabelledPart all = pooled(true);
  return all.lacking ? pooled(false) : all;
}

}  // namespace rubric::eval
