#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "config/reader.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"

namespace rubric::config {

namespace {

constexpr int kMostFiles = 32;  // files in total; a file included twice counts twice

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

// Removes `include` from the file's map and returns its file names.
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
                     name.where(), "write include: FILE, or include: [FILE, FILE]");
  }
  return names;
}

std::filesystem::path identity_of(const std::filesystem::path& path) {
  std::error_code error;
  auto result = std::filesystem::weakly_canonical(path, error);
  return error ? path.lexically_normal() : result;
}

// Reads a file and merges it over the files that it includes.
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
      throw InputError("more than " + std::to_string(kMostFiles) + " files included", name.where(),
                       "check for a file that includes itself, or merge some of them");
    }
    return load(file);
  }

  std::vector<std::filesystem::path> chain_;  // the including files, outermost first
  int files_ = 0;
};

// Splits the key of an override, "a.b".
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
    throw InputError("nested deeper than " + std::to_string(kDeepestYaml) + " levels", place,
                     "write it with fewer brackets or less indentation");
  }
  return parts;
}

// Whether a value is signs alone, such as the separator "|", which YAML would take for the
// beginning of a block. Brackets, quotes and "~" stay YAML's.
bool is_of_signs(std::string_view value) {
  const std::string_view signs = trim(value);
  const auto is_sign = [](char c) {
    return (c > ' ' && c < 127 && !is_ascii_letter(c) && !is_ascii_digit(c)) || c == ' ';
  };
  return !signs.empty() && signs != "~" && std::ranges::all_of(signs, is_sign) &&
         std::string_view("[{\"'").find(signs.front()) == std::string_view::npos;
}

// Converts "a.b=v" to the map {a: {b: v}}.
Yaml parse_override(const std::string& text) {
  const std::string place = "--set " + text;
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw InputError("an override without \"=\"", place, "write --set KEY=VALUE");
  }
  std::vector<std::string> parts = split_key(std::string_view(text).substr(0, equals), place);
  const std::string value = text.substr(equals + 1);
  Yaml node = parse_yaml(is_of_signs(value) ? json_quote(value) : value, place, false);
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

constexpr size_t kLongestValue = size_t{1} << 20;  // bytes; a file can repeat a long variable

bool is_variable_name(std::string_view name) {
  const auto is_part = [](char c) { return is_ascii_letter(c) || is_ascii_digit(c) || c == '_'; };
  return !name.empty() && !is_ascii_digit(name[0]) && std::ranges::all_of(name, is_part);
}

// Expands the text between `${` and `}`: "VAR" or "VAR:-default".
std::string lookup(std::string_view inside, const std::string& key, const std::string& where) {
  const size_t separator = inside.find(":-");
  const std::string name(inside.substr(0, separator));
  if (!is_variable_name(name)) {
    throw InputError(key + ": not a variable's name in ${…}", where,
                     "write ${NAME} or ${NAME:-default}, and $${ for a literal ${");
  }
  if (inside.find("${") != std::string_view::npos) {
    throw InputError(key + ": a variable in the default of ${" + name + "}", where,
                     "write the default out, or set " + name);
  }
  const char* const value = std::getenv(name.c_str());
  if (separator != std::string_view::npos && (value == nullptr || *value == '\0')) {
    return std::string(inside.substr(separator + 2));
  }
  if (value == nullptr) {
    throw InputError(key + ": the environment variable " + name + " is not set", where,
                     "set it (export " + name + "=…) or write a default: ${" + name + ":-…}");
  }
  if (find_invalid_text(value) != std::string_view::npos) {
    throw InputError(key + ": the environment variable " + name + " is not UTF-8 text", where,
                     "set it to UTF-8 text");
  }
  return value;
}

}  // namespace

Yaml load_layers(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Yaml merged = FileLoader().load(file);
  for (const std::string& text : overrides) merge(merged, parse_override(text));
  expand_all(merged, "");
  return merged;
}

std::string expand_variables(std::string_view text, const std::string& key,
                             const std::string& where) {
  std::string expanded;
  while (!text.empty()) {
    if (text.starts_with("$${")) {
      expanded += "${";
      text.remove_prefix(3);
    } else if (text.starts_with("${")) {
      const size_t end = text.find('}');
      if (end == std::string_view::npos) {
        throw InputError(key + ": ${ without }", where,
                         "close the variable's name, or write $${ for a literal ${");
      }
      expanded += lookup(text.substr(2, end - 2), key, where);
      text.remove_prefix(end + 1);
    } else {
      expanded += text.front();
      text.remove_prefix(1);
    }
    if (expanded.size() > kLongestValue) {
      throw InputError(key + ": longer than " + std::to_string(kLongestValue) +
                           " bytes once its variables are filled in",
                       where, "give the variables shorter values");
    }
  }
  return expanded;
}

std::string escape_variables(std::string_view text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) escaped += '$';
    escaped += text[i];
  }
  return escaped;
}

}  // namespace rubric::config
