#include "eval/resampling.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"

namespace rubric::eval {

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

// `kind`: so that no question has the hash of an id.
QuestionHash hash_of(uint64_t kind, std::span<const std::string_view> texts) {
  QuestionHash hash = {kind, texts.size()};
  for (const std::string_view text : texts) add_text(text, hash);
  return hash;
}

std::string text_in(const Json& row, const char* field) {
  const Json* const text = row.find(field);
  return text != nullptr && text->is_string() ? text->string() : "";
}

std::string passage_in(const Json& row) {
  std::string passage = text_in(row, "passage");
  return passage.empty() ? text_in(row, "context") : passage;  // in MOCHA's files
}

data::Answer answer_in(const data::ScoredRows& rows, size_t i) {
  const Json& row = rows.rows[i];
  data::Answer answer;
  answer.question = text_in(row, "question");
  answer.passage = passage_in(row);
  if (!data::is_missing(row.find("id")))
    std::tie(answer.constituent, answer.id) = data::key_of(rows, i);
  answer.candidate = text_in(row, "candidate");
  if (const Json* const references = row.find("reference")) {
    if (references->is_array()) {
      for (const Json& each : references->array())
        answer.references.push_back(each.is_string() ? each.string() : each.dump());
    } else {
      answer.references.push_back(text_in(row, "reference"));
    }
  }
  return answer;
}

}  // namespace

QuestionHash question_hash(std::string_view question, std::string_view passage) {
  return hash_of(1, {{question, passage}});
}

QuestionHash question_hash(const Json& row) {
  return question_hash(text_in(row, "question"), passage_in(row));
}

QuestionHash QuestionHashes::add(const data::Answer& answer, std::string_view more) {
  if (!answer.question.empty()) return question_hash(answer.question, answer.passage);
  const bool has_id = !answer.id.empty() && !answer.is_numbered;
  if (has_id) return hash_of(2, {{answer.constituent, answer.id}});
  std::vector<std::string_view> texts = {more, answer.passage, answer.candidate};
  texts.insert(texts.end(), answer.references.begin(), answer.references.end());
  QuestionHash hash = hash_of(3, texts);
  hash.second += rows_without_id_[hash]++;
  return hash;
}

uint32_t AnswerQuestions::number(const data::Answer& answer) {
  return numbers_.emplace(hashes_.add(answer), numbers_.size()).first->second;
}

std::vector<uint32_t> AnswerQuestions::order() const {
  std::vector<std::pair<QuestionHash, uint32_t>> questions(numbers_.begin(), numbers_.end());
  std::ranges::sort(questions);
  std::vector<uint32_t> order;
  for (const auto& [hash, number] : questions) order.push_back(number);
  return order;
}

RowQuestions::RowQuestions(const data::ScoredRows& rows) : rows_(rows) {
  QuestionHashes hashes;
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    if (!rows.question_hashes.empty() && rows.question_hashes[i]) {
      hashes_.push_back(*rows.question_hashes[i]);
      continue;
    }
    const data::Answer answer = answer_in(rows, i);
    // Rows without id and question whose texts are alike differ in their scores and labels.
    const bool is_identified = !answer.question.empty() || !answer.id.empty();
    hashes_.push_back(hashes.add(answer, is_identified ? "" : rows.rows[i].dump()));
  }
}

bool RowQuestions::has(size_t row) const {
  return !text_in(rows_.rows[row], "question").empty();
}

bool RowQuestions::any() const {
  for (size_t row = 0; row < rows_.rows.size(); ++row) {
    if (has(row)) return true;
  }
  return false;
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

std::string few_questions_note(std::span<const CountedQuestions> parts) {
  std::vector<std::string> few;
  for (const CountedQuestions& part : parts) {
    if (part.questions < 2 || part.questions >= kFewQuestions) continue;
    few.push_back(part.name + (part.name.empty() ? "" : ": ") + std::to_string(part.questions));
  }
  if (few.empty()) return "";
  return "few questions (" + join_some(few) + "): a bootstrap interval of fewer than " +
         std::to_string(kFewQuestions) + " is too narrow";
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

void require_group_beside_system(const std::string& group, const std::string& system) {
  if (group.empty() || group != system) return;
  throw InputError("--group is the field that names the systems", "--group " + group,
                   "name another, or leave --group out");
}

}  // namespace rubric::eval
