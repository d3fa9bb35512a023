#include "eval/resampling.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "core/error.h"
#include "core/random.h"
#include "rubric/version.h"

namespace rubric::eval {

std::string RowQuestions::text(size_t row, const char* field) const {
  const Json* text = rows_.rows[row].find(field);
  return text != nullptr && text->is_string() ? text->string() : "";
}

// The two kinds of key have different lengths, so they never collide.
QuestionKey RowQuestions::key(size_t row) const {
  const std::string question = text(row, "question");
  // MOCHA's files call the passage "context".
  if (!question.empty()) return {text(row, "passage"), text(row, "context"), question};
  const data::InstanceKey record = data::key_of(rows_, row);
  return {record.first, record.second};
}

bool RowQuestions::has(size_t row) const {
  return !text(row, "question").empty();
}

bool RowQuestions::any() const {
  for (size_t row = 0; row < rows_.rows.size(); ++row) {
    if (has(row)) return true;
  }
  return false;
}

namespace {

void add_text(std::string_view text, QuestionHash& hash) {
  auto& [first, second] = hash;
  first = mix(first + text.size());
  second = mix(second ^ text.size());
  for (size_t i = 0; i < text.size(); i += sizeof(uint64_t)) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + i, std::min(sizeof(bytes), text.size() - i));
    first = mix(first ^ bytes);
    second = mix(second + bytes);
  }
}

}  // namespace

QuestionHash RowQuestions::hash(size_t row) const {
  const QuestionKey texts = key(row);
  QuestionHash hash = {texts.size(), 2};
  for (const std::string& text : texts) add_text(text, hash);
  return hash;
}

// Keeps no text, as AnswerQuestions does not.
stats::Clusters RowQuestions::clusters() const {
  std::vector<QuestionHash> hashes;
  for (size_t row = 0; row < rows_.rows.size(); ++row) hashes.push_back(hash(row));
  return stats::clusters_by(hashes);
}

uint32_t AnswerQuestions::number(const data::Answer& answer) {
  const bool has_question = !answer.question.empty();
  if (!has_question && answer.id.empty()) return count_++;
  QuestionHash hash = {has_question ? 1 : 2, 2};
  add_text(has_question ? answer.question : answer.constituent, hash);
  add_text(has_question ? answer.passage : answer.id, hash);
  const auto [entry, is_new] = numbers_.emplace(hash, count_);
  if (is_new) ++count_;
  return entry->second;
}

std::optional<double> mean_if_all(std::span<const std::optional<double>> values) {
  double sum = 0;
  for (const std::optional<double>& value : values) {
    if (!value) return std::nullopt;
    sum += *value;
  }
  if (values.empty()) return std::nullopt;
  return sum / static_cast<double>(values.size());
}

std::string signature_end(const stats::BootstrapOptions& bootstrap) {
  return "|resamples:" + std::to_string(bootstrap.resamples) +
         "|seed:" + std::to_string(bootstrap.seed) + "|rubric:" + version_with_build();
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
