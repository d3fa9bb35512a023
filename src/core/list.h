// Explicit lists: a constexpr table of pointers to descriptors, which the compiler checks, and one
// look-up by name. Metrics, readers, commands, encoders, sequence models, tasks and suites each
// have one; `rubric list` prints them.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace rubric {

// All that is known of a named thing without making it.
template <class T>
concept Listed = requires(const T& descriptor) {
  { descriptor.name } -> std::convertible_to<std::string_view>;
  { descriptor.summary } -> std::convertible_to<std::string_view>;  // one line
};

template <Listed T>
using List = std::span<const T* const>;

// Whether the descriptor answers to `name`, its own or an alias (a member `aliases`, where its type
// has one).
template <Listed T>
constexpr bool answers_to(const T& descriptor, std::string_view name) {
  if (std::string_view(descriptor.name) == name) return true;
  if constexpr (requires { descriptor.aliases; }) {
    for (const std::string_view alias : descriptor.aliases) {
      if (alias == name) return true;
    }
  }
  return false;
}

// Whether each descriptor has a name and a summary, and no name or alias is there twice. For the
// static_assert of every list.
template <Listed T, size_t size>
constexpr bool have_unique_names(const T* const (&list)[size]) {
  for (size_t i = 0; i < size; ++i) {  // by place: sanitizers make addresses no constants
    const T& descriptor = *list[i];
    if (std::string_view(descriptor.name).empty()) return false;
    if (std::string_view(descriptor.summary).empty()) return false;
    for (size_t j = 0; j < size; ++j) {
      if (i != j && answers_to(*list[j], descriptor.name)) return false;
    }
    if constexpr (requires { descriptor.aliases; }) {
      for (const std::string_view alias : descriptor.aliases) {
        if (alias.empty() || alias == descriptor.name) return false;
        if (std::ranges::count(descriptor.aliases, alias) > 1) return false;
        for (size_t j = 0; j < size; ++j) {
          if (i != j && answers_to(*list[j], alias)) return false;
        }
      }
    }
  }
  return true;
}

// The names, without aliases, in the order of the list.
template <Listed T>
std::vector<std::string> names_of(List<T> list) {
  std::vector<std::string> names;
  for (const T* const descriptor : list) names.emplace_back(descriptor->name);
  return names;
}

// The descriptor that answers to `name`; null if none does.
template <Listed T>
const T* find(List<T> list, std::string_view name) {
  for (const T* const descriptor : list) {
    if (answers_to(*descriptor, name)) return descriptor;
  }
  return nullptr;
}

// The names with the aliases of each behind it, in the order of the list.
template <Listed T>
std::vector<std::string> names_and_aliases_of(List<T> list) {
  std::vector<std::string> names;
  for (const T* const descriptor : list) {
    names.emplace_back(descriptor->name);
    names.insert(names.end(), descriptor->aliases.begin(), descriptor->aliases.end());
  }
  return names;
}

// Each alias with the name that it stands for.
template <Listed T>
std::vector<std::pair<std::string, std::string>> aliases_of(List<T> list) {
  std::vector<std::pair<std::string, std::string>> all;
  if constexpr (requires(const T& descriptor) { descriptor.aliases; }) {
    for (const T* const descriptor : list) {
      for (const std::string_view alias : descriptor->aliases) {
        all.emplace_back(alias, descriptor->name);
      }
    }
  }
  return all;
}

// The descriptor that answers to `name`. Throws InputError, "there is no KIND called NAME", with
// the nearest name.
template <Listed T>
const T& require(List<T> list, std::string_view name, const std::string& kind,
                 const std::string& where = "") {
  if (const T* const found = find(list, name)) return *found;
  throw unknown_name(kind, std::string(name), names_of(list), where, aliases_of(list));
}

}  // namespace rubric
