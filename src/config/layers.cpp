#include "config/reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "config/variables.h"
#include "core/error.h"
#include "core/json/json.h"

namespace rubric {
namespace {

constexpr int kMostFiles = 32;  // read in all; a file included twice counts twice

void merge(Yaml& base, Yaml later) {
  if (base.kind != Yaml::Kind::map || later.kind != Yaml::Kind::map) {
    base = std::move(later);
    return;
  }
  for (auto& member : later.members) {
    const auto same_key = [&](const auto& other) { return other.first == member.first; };
    const auto found = std::find_if(base.members.begin(), base.members.end(), same_key);
    if (found == base.members.end()) {
      base.members.push_back(std::move(member));
    } else {
      merge(found->second, std::move(member.second));
    }
  }
}

// The file names under `include:`, taken out of the file's map.
std::vector<Yaml> take_includes(Yaml& map) {
  const auto is_include = [](const auto& member) { return member.first == "include"; };
  const auto found = std::find_if(map.members.begin(), map.members.end(), is_include);
  if (found == map.members.end()) return {};
  Yaml value = std::move(found->second);
  map.members.erase(found);
  std::vector<Yaml> names;
  if (value.kind == Yaml::Kind::list) {
    names = std::move(value.items);
  } else {
    names.push_back(std::move(value));
  }
  for (const Yaml& name : names) {
    if (name.kind == Yaml::Kind::scalar && !name.text.empty()) continue;
    throw InputError("include: expected a file name or a list of them, found " + name.describe(),
                     name.where());
  }
  return names;
}

std::filesystem::path identity_of(const std::filesystem::path& path) {
  std::error_code error;
  auto result = std::filesystem::weakly_canonical(path, error);
  return error ? path.lexically_normal() : result;
}

// Reads a file and, below it, what it includes.
class FileLoader {
 public:
  Yaml load(const std::filesystem::path& file) {
    Yaml own = parse_yaml_file(file);
    if (own.kind == Yaml::Kind::null) own.kind = Yaml::Kind::map;
    if (own.kind != Yaml::Kind::map) {
      throw InputError("expected keys with values, found " + own.describe(), own.where(),
                       "write one \"key: value\" a line");
    }
    ++files_;
    chain_.push_back(identity_of(file));
    Yaml merged;
    merged.kind = Yaml::Kind::map;
    for (const Yaml& name : take_includes(own)) {
      merge(merged, load_included(name, file.parent_path()));
    }
    merge(merged, std::move(own));
    chain_.pop_back();
    return merged;
  }

 private:
  Yaml load_included(const Yaml& name, const std::filesystem::path& folder) {
    const std::filesystem::path file =
        folder / expand_variables(name.text, "include", name.where());
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
      throw InputError("the included file " + file.string() + " is missing", name.where(),
                       "correct the name; it is relative to the including file");
    }
    if (std::find(chain_.begin(), chain_.end(), identity_of(file)) != chain_.end()) {
      throw InputError("the included file " + file.string() + " includes this one", name.where(),
                       "remove one of the two includes");
    }
    if (files_ >= kMostFiles) {
      throw InputError("more than " + std::to_string(kMostFiles) + " files included", name.where());
    }
    return load(file);
  }

  std::vector<std::filesystem::path> chain_;  // from the outermost file to the one being read
  int files_ = 0;
};

// The parts of the key of an override, "a.b".
std::vector<std::string> split_key(std::string_view key, const std::string& place) {
  std::vector<std::string> parts(1);
  for (const char c : key) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (std::find(parts.begin(), parts.end(), "") != parts.end()) {
    throw InputError("an override with an empty part in its key", place,
                     "write the key as the files nest it: --set group.key=value");
  }
  if (parts.size() > kDeepestYaml) {
    throw InputError("nested deeper than " + std::to_string(kDeepestYaml) + " levels", place);
  }
  return parts;
}

// "a.b=v" as the map {a: {b: v}}.
Yaml parse_override(const std::string& text) {
  const std::string place = "--set " + text;
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw InputError("an override without \"=\"", place, "write --set KEY=VALUE");
  }
  std::vector<std::string> parts = split_key(std::string_view(text).substr(0, equals), place);
  Yaml node = parse_yaml(std::string_view(text).substr(equals + 1), place, false);
  for (; !parts.empty(); parts.pop_back()) {
    Yaml map;
    map.kind = Yaml::Kind::map;
    map.source = node.source;
    map.members.emplace_back(std::move(parts.back()), std::move(node));
    node = std::move(map);
  }
  return node;
}

void expand_all(Yaml& node, const std::string& key) {
  if (node.kind == Yaml::Kind::scalar) node.text = expand_variables(node.text, key, node.where());
  for (size_t i = 0; i < node.items.size(); ++i) {
    expand_all(node.items[i], key + "[" + std::to_string(i) + "]");
  }
  for (auto& [name, value] : node.members) {
    expand_all(value, key.empty() ? name : key + "." + name);
  }
}

}  // namespace

Yaml load_layers(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Yaml merged = FileLoader().load(file);
  for (const std::string& text : overrides) merge(merged, parse_override(text));
  expand_all(merged, "");
  return merged;
}

}  // namespace rubric
