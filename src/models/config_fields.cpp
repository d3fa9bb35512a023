#include "models/config_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/model_files/model_directory.h"

namespace rubric::models {
namespace {

constexpr int64_t kLargestSize = 10'000'000;  // bounds every size in a hostile config.json
constexpr int64_t kMostLayers = 1000;
constexpr double kLargestScale = 1e6;
constexpr double kLargestInteger = 9007199254740992.0;  // doubles hold every integer up to 2^53

}  // namespace

ConfigFields::ConfigFields(Json config, std::string where)
    : config_(std::move(config)), where_(std::move(where)) {}

ConfigFields::ConfigFields(const std::filesystem::path& model_directory)
    : ConfigFields(data::read_model_config(model_directory), data::config_place(model_directory)) {}

void ConfigFields::refuse(const std::string& what, const std::string& what_to_do) const {
  throw InputError(what, where_, what_to_do);
}

bool ConfigFields::is_given(const char* name) const {
  const Json* const value = config_.find(name);
  return value != nullptr && !value->is_null();
}

const Json& ConfigFields::require(const char* name, bool (Json::*is_kind)() const,
                                  const char* kind) const {
  const Json* const value = config_.find(name);
  if (value == nullptr) {
    refuse("the field " + json_quote(name) + " is missing", kUsePublishedConfig);
  }
  if ((value->*is_kind)()) return *value;
  refuse("the field " + json_quote(name) + " must be " + kind + ", it is " + value->kind(),
         kUsePublishedConfig);
}

double ConfigFields::require_number(const char* name) const {
  return require(name, &Json::is_number, "a number").number();
}

int64_t ConfigFields::require_integer(const char* name) const {
  const double value = require_number(name);
  if (value == std::floor(value) && std::abs(value) <= kLargestInteger) {
    return static_cast<int64_t>(value);
  }
  refuse("the field " + json_quote(name) + " must be a whole number", kUsePublishedConfig);
}

int64_t ConfigFields::whole(const char* name, int64_t least) const {
  const int64_t value = require_integer(name);
  if (value >= least && value <= kLargestSize) return value;
  refuse(std::string(name) + " is " + std::to_string(value) + ", which no model has",
         kUsePublishedConfig);
}

template <class T>
T ConfigFields::noted(const char* name, T value) {
  values_ += std::string(name) + " " + Json(value).dump() + "\n";
  return value;
}

std::string ConfigFields::model_type() {
  constexpr const char* kName = "model_type";
  return noted(kName, require(kName, &Json::is_string, "a string").string());
}

int64_t ConfigFields::size(const char* name, std::optional<int64_t> otherwise) {
  if (otherwise && !is_given(name)) return noted(name, *otherwise);
  return noted(name, whole(name, 1));
}

int64_t ConfigFields::size_or_none(const char* name) {
  return is_given(name) && require_integer(name) < 1 ? noted(name, int64_t{0}) : size(name, 0);
}

int64_t ConfigFields::layers(const char* name, std::optional<int64_t> otherwise) {
  const int64_t value = size(name, otherwise);
  if (value <= kMostLayers) return value;
  refuse(std::string(name) + " is over " + std::to_string(kMostLayers), kUsePublishedConfig);
}

double ConfigFields::dropout(const char* name, double otherwise) const {
  if (!is_given(name)) return otherwise;
  const double value = require_number(name);
  if (value >= 0 && value < 1) return value;
  refuse(std::string(name) + " must be at least 0 and below 1", kUsePublishedConfig);
}

double ConfigFields::fraction(const char* name, double otherwise) {
  return noted(name, dropout(name, otherwise));
}

double ConfigFields::start_scale(const char* name, double otherwise) const {
  if (!is_given(name)) return otherwise;
  const double value = require_number(name);
  if (value > 0 && value <= kLargestScale) return value;
  refuse(std::string(name) + " must be above 0 and at most a million", kUsePublishedConfig);
}

bool ConfigFields::flag(const char* name, bool otherwise) {
  if (!is_given(name)) return noted(name, otherwise);
  return noted(name, require(name, &Json::is_bool, "true or false").boolean());
}

std::string ConfigFields::checked_choice(const char* name, const Json& value,
                                         std::initializer_list<const char*> known) const {
  if (value.is_string() && std::ranges::find(known, value.string()) != known.end()) {
    return value.string();
  }
  refuse(std::string(name) + " " + value.dump() + " is not supported",
         "use a model whose " + std::string(name) + " is " +
             join(std::vector<std::string>(known.begin(), known.end()), " or "));
}

std::string ConfigFields::choice(const char* name, const char* otherwise,
                                 std::initializer_list<const char*> known) {
  if (!is_given(name)) return noted(name, std::string(otherwise));
  return noted(name, checked_choice(name, require(name, &Json::is_string, "a string"), known));
}

const Json::Array& ConfigFields::require_list(const char* name, int64_t count) const {
  const Json::Array& list = require(name, &Json::is_array, "a list").array();
  if (std::ssize(list) == count) return list;
  refuse(std::string(name) + " has " + std::to_string(list.size()) + " elements, not " +
             std::to_string(count),
         kUsePublishedConfig);
}

std::vector<std::string> ConfigFields::choices(const char* name, int64_t count,
                                               std::initializer_list<const char*> known) {
  std::vector<std::string> values;
  if (!is_given(name)) return values;
  for (const Json& value : require_list(name, count)) {
    values.push_back(checked_choice(name, value, known));
  }
  noted(name, Json::Array(values.begin(), values.end()));
  return values;
}

double ConfigFields::checked_positive(const char* name, const Json& value) const {
  constexpr double kLargestNumber = 1e15;
  if (value.is_number() && value.number() > 0 && value.number() <= kLargestNumber) {
    return value.number();
  }
  refuse(std::string(name) + " is " + value.dump() + "; it must be above 0 and at most 10^15",
         kUsePublishedConfig);
}

double ConfigFields::positive(const char* name, std::optional<double> otherwise) {
  if (otherwise && !is_given(name)) return noted(name, *otherwise);
  return noted(name, checked_positive(name, require(name, &Json::is_number, "a number")));
}

std::vector<double> ConfigFields::positives(const char* name, int64_t count) {
  std::vector<double> values;
  for (const Json& value : require_list(name, count)) {
    values.push_back(checked_positive(name, value));
  }
  noted(name, Json::Array(values.begin(), values.end()));
  return values;
}

int64_t ConfigFields::count(const char* name, int64_t otherwise) {
  return noted(name, is_given(name) ? whole(name, 0) : otherwise);
}

std::optional<ConfigFields> ConfigFields::object(const char* name) const {
  if (!is_given(name)) return std::nullopt;
  return ConfigFields(require(name, &Json::is_object, "an object"), where_ + ": " + name);
}

void ConfigFields::refuse_unless_off(const char* name) const {
  const Json* const value = config_.find(name);
  if (value == nullptr || value->is_null() || value->dump() == "false") return;
  refuse(std::string(name) + " " + value->dump() + " is not supported", "use a model without it");
}

void ConfigFields::refuse_all_but(const std::vector<std::string>& names) const {
  for (const auto& [name, value] : config_.object()) {
    if (std::ranges::find(names, name) == names.end()) refuse_unless_off(name.c_str());
  }
}

std::vector<std::string> ConfigFields::words(const char* name,
                                             std::initializer_list<const char*> known) {
  std::vector<std::string> words;
  if (is_given(name) && config_.find(name)->is_array()) {
    for (const Json& word : config_.find(name)->array()) {
      if (!word.is_string()) {
        refuse("the field " + json_quote(name) + " must be a list of strings", kUsePublishedConfig);
      }
      words.push_back(word.string());
    }
  } else if (is_given(name)) {
    std::string_view rest = require(name, &Json::is_string, "a string").string();
    for (size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end + 1)) {
      end = rest.find('|');
      words.push_back(ascii_lower(trim(rest.substr(0, end))));
      if (end == std::string_view::npos) break;
    }
  }
  for (const std::string& word : words) {
    const bool is_known = std::ranges::find(known, word) != known.end();
    if (is_known && std::ranges::count(words, word) == 1) continue;
    refuse(std::string(name) + " \"" + word + "\" is not supported",
           "use a model whose " + std::string(name) + " has no other words than " +
               join(std::vector<std::string>(known.begin(), known.end())));
  }
  noted(name, join(words));
  return words;
}

int64_t ConfigFields::token(const char* name, int64_t vocabulary_size, int64_t otherwise) {
  if (!is_given(name)) return noted(name, otherwise);
  const int64_t id = require_integer(name);
  if (id >= 0 && id < vocabulary_size) return noted(name, id);
  refuse(std::string(name) + " is outside the vocabulary", kUsePublishedConfig);
}

}  // namespace rubric::models
