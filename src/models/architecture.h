// Fields of a model's config.json, checked before anything is computed with them. All throw
// InputError naming `where` and the field.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "core/json/json.h"

namespace rubric {

inline constexpr const char* kUsePublishedConfig =
    "use the config.json that was published with the model";

// A size from 1 to ten million; when the field is missing or null `otherwise`, where one is given.
int64_t size_field(const Json& config, const char* name, const std::string& where,
                   std::optional<int64_t> otherwise = {});

// A number of layers, from 1 to 1000.
int64_t layers_field(const Json& config, const char* name, const std::string& where,
                     std::optional<int64_t> otherwise = {});

// A number in [0, 1), or the default when the field is not there.
double fraction_field(const Json& config, const char* name, double otherwise,
                      const std::string& where);

// A number above 0, at most a million, or the default when the field is not there.
double positive_field(const Json& config, const char* name, double otherwise,
                      const std::string& where);

bool flag_field(const Json& config, const char* name, bool otherwise, const std::string& where);

// One of `known`, or the default when the field is not there.
std::string choice_field(const Json& config, const char* name, const char* otherwise,
                         std::initializer_list<const char*> known, const std::string& where);

// The id of a token below `vocabulary_size`; nothing when the field is missing or null.
std::optional<int64_t> token_field(const Json& config, const char* name, int64_t vocabulary_size,
                                   const std::string& where);

}  // namespace rubric
