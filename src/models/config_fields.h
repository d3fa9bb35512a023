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
  // A number in [0, 1).
  double fraction(const char* name, double otherwise);
  bool flag(const char* name, bool otherwise);
  std::string choice(const char* name, const char* otherwise,
                     std::initializer_list<const char*> known);
  // Words in a list or with | between them, each of `known`.
  std::vector<std::string> words(const char* name, std::initializer_list<const char*> known);
  double scale(const char* name, double otherwise);  // above 0, and at most a billion
  std::vector<std::string> texts(const char* name);  // a list; empty where it is missing
  bool is_null(const char* name) const;              // given as null
  // The fields of an object in the file, all of it noted; nothing where it is missing or null.
  std::optional<ConfigFields> part(const char* name);
  // A token id below `vocabulary_size`.
  int64_t token(const char* name, int64_t vocabulary_size, int64_t otherwise);

  // What only training reads, and values() leaves out: a dropout rate in [0, 1), and the
  // standard deviation or scale of new weights, above 0 and at most a million.
  double dropout(const char* name, double otherwise) const;
  double start_scale(const char* name, double otherwise) const;

  [[noreturn]] void refuse(const std::string& what, const std::string& what_to_do) const;

  // "NAME VALUE" of each field noted so far, a line each: with the weights, what the model computes
  // depends on these.
  const std::string& values() const { return values_; }

 private:
  bool is_given(const char* name) const;
  const Json& require(const char* name, bool (Json::*is_kind)() const, const char* kind) const;
  double require_number(const char* name) const;
  int64_t require_integer(const char* name) const;
  template <class T>
  T noted(const char* name, T value);

  Json config_;
  std::string where_, values_;
};

}  // namespace rubric::models
