#include "eval/reproduce/experiment_yaml.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/json/json.h"

namespace rubric {

void require_keys(const Yaml& node, const std::string& what, const std::vector<std::string>& keys) {
  if (node.kind != Yaml::Kind::map) {
    throw InputError(what + ": expected a map of keys, found " + node.describe(), node.where(),
                     "its keys are: " + join(keys));
  }
  for (const auto& [name, value] : node.members) {
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
    const std::string nearest = nearest_name(name, keys);
    throw InputError(
        what + ": unknown key " + json_quote(name), value.where(),
        nearest.empty() ? "the keys here are: " + join(keys) : "did you mean " + nearest + "?");
  }
}

const Yaml& require_member(const Yaml& map, const std::string& what, const std::string& key) {
  const Yaml* const member = map.find(key);
  if (member == nullptr) throw InputError(what + " has no " + key, map.where(), "add " + key + ":");
  return *member;
}

std::string text_of(const Yaml& node, const std::string& key) {
  if (node.kind == Yaml::Kind::scalar && !node.text.empty()) return node.text;
  throw InputError(key + ": expected a text, found " + node.describe(), node.where());
}

std::vector<std::string> texts_of(const Yaml& node, const std::string& key) {
  if (node.kind != Yaml::Kind::list) return {text_of(node, key)};
  std::vector<std::string> texts;
  for (const Yaml& item : node.items) texts.push_back(text_of(item, key));
  return texts;
}

std::string text_member(const Yaml& map, const std::string& key) {
  const Yaml* const member = map.find(key);
  return member == nullptr ? "" : text_of(*member, key);
}

std::vector<std::string> texts_member(const Yaml& map, const std::string& key) {
  const Yaml* const member = map.find(key);
  return member == nullptr ? std::vector<std::string>() : texts_of(*member, key);
}

double number_of(const Yaml& node, const std::string& key) {
  double value = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stopped, error] = std::from_chars(node.text.data(), end, value);
  if (node.kind != Yaml::Kind::scalar || node.quoted || error != std::errc() || stopped != end ||
      !std::isfinite(value)) {
    throw InputError(key + ": expected a number, found " + node.describe(), node.where());
  }
  return value;
}

const std::vector<std::pair<std::string, Yaml>>& members_of(const Yaml& map,
                                                            const std::string& key) {
  static const std::vector<std::pair<std::string, Yaml>> kNone;
  const Yaml* const member = map.find(key);
  if (member == nullptr) return kNone;
  if (member->kind != Yaml::Kind::map) {
    throw InputError(key + ": expected a map of names, found " + member->describe(),
                     member->where());
  }
  return member->members;
}

}  // namespace rubric
