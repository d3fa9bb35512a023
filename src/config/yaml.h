// Parses YAML into a small tree in which every node knows its file and line.
//
// Supports the part of YAML that people write by hand: maps with plain keys, lists, scalars.
// Refuses what makes a file ambiguous or dangerous: repeated keys, anchors and aliases, tags, keys
// that are not scalars, several documents, tabs as indentation, nesting beyond 50 levels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubric::config {

inline constexpr size_t kDeepestYaml = 50;               // levels of nesting
inline constexpr size_t kMostYamlKeys = 1000;            // in one map
inline constexpr size_t kLargestYaml = size_t{1} << 20;  // bytes of one text

struct YamlSource {
  std::string name;  // the file's path, or "--set a.b=v"
  bool has_lines = true;
};

struct Yaml {
  enum class Kind { null, scalar, list, map };

  Yaml() = default;  // clang 14 needs this in a type that holds pairs of itself

  Kind kind = Kind::null;
  std::string text;     // of a scalar
  bool quoted = false;  // the scalar was quoted or a block: a string, never a number
  std::vector<Yaml> items;
  std::vector<std::pair<std::string, Yaml>> members;  // in the file's order
  std::shared_ptr<const YamlSource> source;           // never null in a result of parse_yaml
  int64_t line = 0;  // for the member of a map: the line of its key

  // The member of a map, or nullptr when this is not a map or has no such member.
  const Yaml* find(std::string_view key) const;

  std::string where() const;     // "file:line", or the source's name when it has no lines
  std::string describe() const;  // for messages: `"three"`, `the string "3"`, "a list"
};

// Parses one document; an empty text is null. Messages call the text `name`. Throws InputError with
// `name`:line (without the line when `has_lines` is false).
Yaml parse_yaml(std::string_view text, const std::string& name, bool has_lines = true);
Yaml parse_yaml_file(const std::filesystem::path& path);

}  // namespace rubric::config
