#include "models/architecture.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace rubric {
namespace {

constexpr int64_t kLargestSize = 10'000'000;  // bounds every size a hostile config.json may ask for
constexpr int64_t kMostLayers = 1000;

bool is_given(const Json& config, const char* name) {
  const Json* const value = config.find(name);
  return value != nullptr && !value->is_null();
}

}  // namespace

int64_t size_field(const Json& config, const char* name, const std::string& where,
                   std::optional<int64_t> otherwise) {
  if (otherwise && !is_given(config, name)) return *otherwise;
  const int64_t value = config.require_integer(name, where);
  if (value < 1 || value > kLargestSize) {
    throw InputError(std::string(name) + " is " + std::to_string(value) + ", which no model has",
                     where, kUsePublishedConfig);
  }
  return value;
}

int64_t layers_field(const Json& config, const char* name, const std::string& where,
                     std::optional<int64_t> otherwise) {
  const int64_t value = size_field(config, name, where, otherwise);
  if (value <= kMostLayers) return value;
  throw InputError(std::string(name) + " is over " + std::to_string(kMostLayers), where,
                   kUsePublishedConfig);
}

double fraction_field(const Json& config, const char* name, double otherwise,
                      const std::string& where) {
  if (!is_given(config, name)) return otherwise;
  const double value = config.require_number(name, where);
  if (!(value >= 0 && value < 1)) {
    throw InputError(std::string(name) + " must be at least 0 and below 1", where,
                     kUsePublishedConfig);
  }
  return value;
}

double positive_field(const Json& config, const char* name, double otherwise,
                      const std::string& where) {
  constexpr double kMost = 1e6;
  if (!is_given(config, name)) return otherwise;
  const double value = config.require_number(name, where);
  if (value > 0 && value <= kMost) return value;
  throw InputError(std::string(name) + " must be above 0 and at most a million", where,
                   kUsePublishedConfig);
}

bool flag_field(const Json& config, const char* name, bool otherwise, const std::string& where) {
  if (!is_given(config, name)) return otherwise;
  return config.require_boolean(name, where);
}

std::string choice_field(const Json& config, const char* name, const char* otherwise,
                         std::initializer_list<const char*> known, const std::string& where) {
  if (!is_given(config, name)) return otherwise;
  const std::string value = config.require_string(name, where);
  if (std::ranges::find(known, value) != known.end()) return value;
  throw InputError(
      std::string(name) + " \"" + value + "\" is not supported", where,
      "use a model with " + join(std::vector<std::string>(known.begin(), known.end()), " or "));
}

std::optional<int64_t> token_field(const Json& config, const char* name, int64_t vocabulary_size,
                                   const std::string& where) {
  if (!is_given(config, name)) return std::nullopt;
  const int64_t id = config.require_integer(name, where);
  if (id >= 0 && id < vocabulary_size) return id;
  throw InputError(std::string(name) + " is outside the vocabulary", where, kUsePublishedConfig);
}

}  // namespace rubric
