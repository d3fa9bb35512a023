#include "metrics/kind.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/text/utf8.h"
#include "data/model_files/shipped_models.h"
#include "data/rows/seen_rows.h"

namespace rubric::metrics {

Scores AnswerMetric::score_part(std::span<const data::Answer> records) {
  if (has_scored_) throw Error("a metric that scores all answers in one part was given another");
  has_scored_ = true;
  return score(records);
}

const data::SeenRows& AnswerMetric::seen() const {
  static const data::SeenRows kNone;
  return kNone;
}

const char* name_of(RecordKind record) {
  switch (record) {
    case RecordKind::answer:
      return "answer";
    case RecordKind::source_target:
      return "source_target";
    case RecordKind::rationale:
      return "rationale";
  }
  return "";
}

Settings::Settings(std::initializer_list<std::pair<const Setting&, std::string>> values) {
  for (const auto& [setting, value] : values) set(setting, value);
}

void Settings::set(const Setting& setting, const std::string& value) {
  const std::string where = std::string("--") + setting.name;
  if (setting.type == Setting::Type::integer) {
    int64_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || rest != end || number < setting.low || number > setting.high) {
      throw InputError(where + " is " + value, "settings",
                       "give a whole number from " + std::to_string(setting.low) + " to " +
                           std::to_string(setting.high));
    }
  }
  const bool is_name = setting.type == Setting::Type::file || setting.type == Setting::Type::model;
  if (is_name && value.empty()) {
    throw InputError(where + " is empty", "settings", "name a file or folder, or leave it out");
  }
  // A text is copied into signatures and JSON; the name of a file is whatever the system has.
  if (setting.type == Setting::Type::text && find_invalid_text(value) != std::string::npos) {
    throw InputError("the value is not plain UTF-8 text", where, "give it as UTF-8");
  }
  if (!setting.choices.empty() && std::ranges::count(setting.choices, value) == 0) {
    throw InputError(where + " is " + value, "settings",
                     "give one of " + join(std::vector<std::string>(setting.choices.begin(),
                                                                    setting.choices.end())));
  }
  values_[setting.name] = value;
}

std::string Settings::text(const Setting& setting) const {
  const auto found = values_.find(setting.name);
  return found == values_.end() ? "" : found->second;
}

std::optional<int64_t> Settings::integer(const Setting& setting) const {
  if (!has(setting)) return std::nullopt;
  return std::stoll(text(setting));  // set() has checked it
}

std::string MetricKind::default_model_name() const {
  return default_model == nullptr ? "" : std::string(default_model->name);
}

}  // namespace rubric::metrics
