#include "config/reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::config {
namespace {

[[noreturn]] void throw_mismatch(const std::string& key, const std::string& expected,
                                 const Yaml& found, const std::string& what_to_do = "") {
  throw InputError(key + ": expected " + expected + ", found " + found.describe(), found.where(),
                   !what_to_do.empty()              ? what_to_do
                   : found.kind == Yaml::Kind::null ? "give a value (\"\" for an empty string) or "
                                                      "remove the key"
                                                    : "write " + expected);
}

// -?(0|[1-9][0-9]*): some readers take a leading zero for octal.
std::optional<int64_t> parse_integer(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const char* quotes_hint(const Yaml& node) {
  return node.quoted ? "remove the quotes" : "";
}

class FieldReader : public FieldVisitor {
 public:
  explicit FieldReader(const Yaml& map) : levels_{{&map, ""}} {}

  void field(const char* name, bool& value, const char*) override {
    const Yaml* const node = find_field(name);
    if (node == nullptr) return;
    if (node->quoted || (node->text != "true" && node->text != "false")) {
      throw_mismatch(key_of(name), "true or false", *node, quotes_hint(*node));
    }
    value = node->text == "true";
  }

  void field(const char* name, int64_t& value, const char*, Range<int64_t> range) override {
    read_number(name, value, "a whole number", range, parse_integer);
  }

  void field(const char* name, double& value, const char*, Range<double> range) override {
    read_number(name, value, "a number", range, parse_number);
  }

  void field(const char* name, std::optional<double>& value, const char* comment) override {
    double number = 0;
    field(name, number, comment, {});
    const Yaml* const map = levels_.back().map;
    if (map != nullptr && map->find(name) != nullptr) value = number;
  }

  void field(const char* name, std::string& value, const char*,
             const std::vector<std::string>& choices) override {
    const Yaml* const node = find_field(name);
    if (node == nullptr) return;
    if (node->kind != Yaml::Kind::scalar) throw_mismatch(key_of(name), "a string", *node);
    if (!choices.empty() &&
        std::find(choices.begin(), choices.end(), node->text) == choices.end()) {
      const std::string nearest = nearest_name(node->text, choices);
      throw_mismatch(key_of(name), "one of " + join(choices), *node,
                     nearest.empty() ? "" : "did you mean " + nearest + "?");
    }
    value = node->text;
  }

  void field(const char* name, std::vector<std::string>& value, const char*) override {
    const Yaml* const node = find_field(name);
    if (node == nullptr) return;
    const std::string key = key_of(name);
    if (node->kind != Yaml::Kind::list) {
      throw_mismatch(key, "a list of strings", *node,
                     node->kind == Yaml::Kind::scalar ? "put it in brackets: [ ]" : "");
    }
    std::vector<std::string> strings;
    for (const Yaml& item : node->items) {
      if (item.kind != Yaml::Kind::scalar) {
        throw_mismatch(key + "[" + std::to_string(strings.size()) + "]", "a string", item);
      }
      strings.push_back(item.text);
    }
    value = std::move(strings);
  }

  // Called after all fields were visited: throws for keys of the map that are not fields.
  void refuse_unknown_keys(const Yaml& map, const std::string& prefix) const {
    for (const auto& [name, value] : map.members) {
      const std::string key = prefix + name;
      if (contains(groups_, key) && name.find('.') == std::string::npos) {
        refuse_unknown_keys(value, key + ".");
      } else if (!contains(fields_, key) || name.find('.') != std::string::npos) {
        throw InputError("unknown key " + json_quote(key), value.where(),
                         hint_for_unknown(prefix, name));
      }
    }
  }

 private:
  struct Level {
    const Yaml* map;     // nullptr: the file does not have this group
    std::string prefix;  // "train." inside the group train
  };

  void enter(const char* name, const char*) override {
    const std::string key = key_of(name);
    groups_.push_back(key);
    const Yaml* const map = levels_.back().map;
    const Yaml* const node = map == nullptr ? nullptr : map->find(name);
    if (node != nullptr && node->kind != Yaml::Kind::map) {
      throw_mismatch(
          key, "a map of keys", *node,
          node->kind == Yaml::Kind::null ? "indent its keys below it, or remove it" : "");
    }
    levels_.push_back({node, key + "."});
  }

  void leave() override { levels_.pop_back(); }

  std::string key_of(const char* name) const { return levels_.back().prefix + name; }

  static bool contains(const std::vector<std::string>& keys, const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  const Yaml* find_field(const char* name) {
    fields_.push_back(key_of(name));
    const Yaml* const map = levels_.back().map;
    return map == nullptr ? nullptr : map->find(name);
  }

  template <class Number>
  void read_number(const char* name, Number& value, const std::string& type, Range<Number> range,
                   std::optional<Number> (*parse)(std::string_view)) {
    const Yaml* const node = find_field(name);
    if (node == nullptr) return;
    const std::string bounds = range_text(range);
    const std::string expected = bounds.empty() ? type : type + " (" + bounds + ")";
    if (node->kind != Yaml::Kind::scalar || node->quoted) {
      throw_mismatch(key_of(name), expected, *node, quotes_hint(*node));
    }
    const std::optional<Number> parsed = parse(node->text);
    if (!parsed || !range.contains(*parsed)) throw_mismatch(key_of(name), expected, *node);
    value = *parsed;
  }

  std::string hint_for_unknown(const std::string& prefix, const std::string& name) const {
    if (name.find('.') != std::string::npos) {
      return "nest the keys in a file (group:, below it key:); dots are for --set";
    }
    std::vector<std::string> here, everywhere = fields_;
    everywhere.insert(everywhere.end(), groups_.begin(), groups_.end());
    for (const std::string& key : everywhere) {
      // In another group.
      if (("." + key).ends_with("." + name)) return "did you mean " + key + "?";
      if (!key.starts_with(prefix)) continue;
      const std::string rest = key.substr(prefix.size());
      if (rest.find('.') == std::string::npos) here.push_back(rest);
    }
    const std::string nearest = nearest_name(name, here);
    if (!nearest.empty()) return "did you mean " + prefix + nearest + "?";
    return "the keys here are: " + join(here);
  }

  std::vector<Level> levels_;
  std::vector<std::string> fields_, groups_;  // dotted keys
};

}  // namespace

void read_fields(const Yaml& map, const std::function<void(FieldVisitor&)>& visit) {
  FieldReader reader(map);
  visit(reader);
  reader.refuse_unknown_keys(map, "");
}

}  // namespace rubric::config
