#include "eval/resampling.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace rubric::eval {

namespace {

std::string row_text(const Json& row, const char* field) {
  const Json* text = row.find(field);
  return text != nullptr && text->is_string() ? text->string() : "";
}

}  // namespace

// The three kinds of key have different lengths, so they never collide.
QuestionKey question_of(const data::ScoredRows& rows, size_t row) {
  const Json& json = rows.rows[row];
  const std::string question = row_text(json, "question");
  if (!question.empty()) {
    // MOCHA's own files call the passage "context".
    return {row_text(json, "passage"), row_text(json, "context"), question};
  }
  if (rows.systems.empty()) return {std::to_string(row)};
  const data::InstanceKey record = data::key_of(rows, row);
  return {record.first, record.second};
}

bool names_questions(const data::ScoredRows& rows) {
  return std::ranges::any_of(rows.rows,
                             [](const Json& row) { return !row_text(row, "question").empty(); });
}

stats::Clusters questions_of(const data::ScoredRows& rows) {
  std::vector<QuestionKey> keys;
  for (size_t i = 0; i < rows.rows.size(); ++i) keys.push_back(question_of(rows, i));
  return stats::clusters_by(keys);
}

std::vector<std::optional<double>> seed_and_instance_means(
    const std::vector<std::vector<RunValue>>& statistics, const stats::BootstrapOptions& options) {
  const size_t seed_count = statistics.front().size();
  size_t resample_count = 0;
  for (const auto& seeds : statistics) {
    for (const RunValue& statistic : seeds) {
      resample_count = std::max(resample_count, statistic.resampled.size());
    }
  }
  if (resample_count == 0 && seed_count == 1) return {};
  if (resample_count == 0) resample_count = static_cast<size_t>(options.resamples);
  std::vector<std::optional<double>> means(resample_count);
  for (size_t resample = 0; resample < resample_count; ++resample) {
    double sum = 0;
    for (size_t i = 0; i < seed_count; ++i) {
      const size_t seed =
          below(random_bits(options.seed, Purpose::bootstrap, resample, i), seed_count);
      for (const std::vector<RunValue>& seeds : statistics) {
        const RunValue& drawn = seeds[seed];
        sum += resample < drawn.resampled.size() ? drawn.resampled[resample] : drawn.value;
      }
    }
    const double value = sum / static_cast<double>(seed_count * statistics.size());
    if (!std::isnan(value)) means[resample] = value;
  }
  return means;
}

std::optional<stats::Interval> seed_and_instance_interval(
    const std::vector<std::vector<RunValue>>& statistics) {
  return stats::percentile_interval(seed_and_instance_means(statistics));
}

}  // namespace rubric::eval
