#include "models/config_fields.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "data/model_files/model_directory.h"

namespace rubric::models {
namespace {

constexpr int64_t kLargestSize = 10'000'000;  // bounds every size in a hostile config.json
constexpr int64_t kMostLayers = 1000;
constexpr double kLargestScale = 1e6;

}  // namespace

ConfigFields::ConfigFields(Json config, std::string where)
    : config_(std::move(config)), where_(std::move(where)) {}

ConfigFields::ConfigFields(const std::filesystem::path& model_directory)
    : ConfigFields(data::read_model_config(model_directory),
                   (model_directory / "config.json").string()) {}

void ConfigFields::refuse(const std::string& what, const std::string& what_to_do) const {
  throw InputError(what, where_, what_to_do);
}

bool ConfigFields::is_given(const char* name) const {
  const Json* const value = config_.find(name);
  return value != nullptr && !value->is_null();
}

template <class T>
T ConfigFields::noted(const char* name, T value) {
  values_ += std::string(name) + " " + Json(value).dump() + "\n";
  return value;
}

std::string ConfigFields::model_type() {
  constexpr const char* kName = "model_type";
  return noted(kName, config_.require_string(kName, where_));
}

int64_t ConfigFields::size(const char* name, std::optional<int64_t> otherwise) {
  if (otherwise && !is_given(name)) return noted(name, *otherwise);
  const int64_t value = config_.require_integer(name, where_);
  if (value >= 1 && value <= kLargestSize) return noted(name, value);
  refuse(std::string(name) + " is " + std::to_string(value) + ", which no model has",
         kUsePublishedConfig);
}

int64_t ConfigFields::layers(const char* name, std::optional<int64_t> otherwise) {
  const int64_t value = size(name, otherwise);
  if (value <= kMostLayers) return value;
  refuse(std::string(name) + " is over " + std::to_string(kMostLayers), kUsePublishedConfig);
}

double ConfigFields::dropout(const char* name, double otherwise) const {
  if (!is_given(name)) return otherwise;
  const double value = config_.require_number(name, where_);
  if (value >= 0 && value < 1) return value;
  refuse(std::string(name) + " must be at least 0 and below 1", kUsePublishedConfig);
}

double ConfigFields::fraction(const char* name, double otherwise) {
  return noted(name, dropout(name, otherwise));
}

double ConfigFields::start_scale(const char* name, double otherwise) const {
  if (!is_given(name)) return otherwise;
  const double value = config_.require_number(name, where_);
  if (value > 0 && value <= kLargestScale) return value;
  refuse(std::string(name) + " must be above 0 and at most a million", kUsePublishedConfig);
}

bool ConfigFields::flag(const char* name, bool otherwise) {
  if (!is_given(name)) return noted(name, otherwise);
  return noted(name, config_.require_boolean(name, where_));
}

std::string ConfigFields::choice(const char* name, const char* otherwise,
                                 std::initializer_list<const char*> known) {
  if (!is_given(name)) return noted(name, std::string(otherwise));
  const std::string value = config_.require_string(name, where_);
  if (std::ranges::find(known, value) != known.end()) return noted(name, value);
  refuse(std::string(name) + " \"" + value + "\" is not supported",
         "use a model whose " + std::string(name) + " is " +
             join(std::vector<std::string>(known.begin(), known.end()), " or "));
}

int64_t ConfigFields::token(const char* name, int64_t vocabulary_size, int64_t otherwise) {
  if (!is_given(name)) return noted(name, otherwise);
  const int64_t id = config_.require_integer(name, where_);
  if (id >= 0 && id < vocabulary_size) return noted(name, id);
  refuse(std::string(name) + " is outside the vocabulary", kUsePublishedConfig);
}

}  // namespace rubric::models
