// The fields of a model's config.json, as an architecture reads them. No libtorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"

namespace rubric::models {

inline constexpr const char* kUsePublishedConfig =
    "use the config.json that was published with the model";

// Checks each field that is read, and notes those that the model computes with. Functions throw
// InputError naming the file and the field. `otherwise` is the value of a field that is missing or
// null.
class ConfigFields {
 public:
  // `where` names the file in errors.
  ConfigFields(Json config, std::string where);
  // Reads the folder's config.json, whose model_type is a text.
  explicit ConfigFields(const std::filesystem::path& model_directory);

  const std::string& where() const { return where_; }
  std::string model_type();

  // A size from 1 to ten million.
  int64_t size(const char* name, std::optional<int64_t> otherwise = {});
  // A size; 0 where the field is missing or below 1, as -1 often is.
  int64_t size_or_none(const char* name);
  // A number of layers, from 1 to 1000.
  int64_t layers(const char* name, std::optional<int64_t> otherwise = {});
  // A whole number from 0 to ten million.
  int64_t count(const char* name, int64_t otherwise);
  // A number above 0 and at most 10^15; a list of `count` such numbers.
  double positive(const char* name, std::optional<double> otherwise = {});
  std::vector<double> positives(const char* name, int64_t count);
  // A number in [0, 1).
  double fraction(const char* name, double otherwise);
  bool flag(const char* name, bool otherwise);
  std::string choice(const char* name, const char* otherwise,
                     std::initializer_list<const char*> known);
  // Words in a list or with | between them, each of `known`.
  std::vector<std::string> words(const char* name, std::initializer_list<const char*> known);
  // A list of `count` of the known values; empty where there is none.
  std::vector<std::string> choices(const char* name, int64_t count,
                                   std::initializer_list<const char*> known);
  // The fields of an object; nothing where it is missing or null. note() adds what was read of them
  // to values().
  std::optional<ConfigFields> object(const char* name) const;
  void note(const ConfigFields& part) { values_ += part.values_; }
  // A token id below `vocabulary_size`.
  int64_t token(const char* name, int64_t vocabulary_size, int64_t otherwise);

  // What only training reads, and values() leaves out: a dropout rate in [0, 1), and the
  // standard deviation or scale of new weights, above 0 and at most a million.
  double dropout(const char* name, double otherwise) const;
  double start_scale(const char* name, double otherwise) const;

  bool has(const char* name) const { return config_.find(name) != nullptr; }
  bool is_given(const char* name) const;  // and not null

  // What the model does not implement, by key and value: a field that is not missing, null or
  // false; any field of another name.
  void refuse_unless_off(const char* name) const;
  void refuse_all_but(const std::vector<std::string>& names) const;

  [[noreturn]] void refuse(const std::string& what, const std::string& what_to_do) const;

  // "NAME VALUE" of each field noted so far, a line each: with the weights, what the model computes
  // depends on these.
  const std::string& values() const { return values_; }

 private:
  const Json& require(const char* name, bool (Json::*is_kind)() const, const char* kind) const;
  double require_number(const char* name) const;
  double checked_positive(const char* name, const Json& value) const;
  std::string checked_choice(const char* name, const Json& value,
                             std::initializer_list<const char*> known) const;
  int64_t whole(const char* name, int64_t least) const;
  const Json::Array& require_list(const char* name, int64_t count) const;
  int64_t require_integer(const char* name) const;
  template <class T>
  T noted(const char* name, T value);

  Json config_;
  std::string where_, values_;
};

}  // namespace rubric::models
