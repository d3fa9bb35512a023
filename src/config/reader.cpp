#include "config/reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <variant>

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

// Reads the value of a field from its node.
struct ValueReader {
  const Field& field;
  const Yaml& node;

  void operator()(std::monostate /*group*/) const {
    if (node.kind == Yaml::Kind::map) return;
    throw_mismatch(field.key, "a map of keys", node,
                   node.kind == Yaml::Kind::null ? "indent its keys below it, or remove it" : "");
  }

  void operator()(bool* value) const {
    if (node.quoted || (node.text != "true" && node.text != "false")) {
      throw_mismatch(field.key, "true or false", node, quotes_hint(node));
    }
    *value = node.text == "true";
  }

  void operator()(int64_t* value) const {
    *value = number("a whole number", field.whole, parse_integer);
  }
  void operator()(auto* value) const { *value = number("a number", field.real, parse_number); }

  void operator()(std::string* value) const {
    if (node.kind != Yaml::Kind::scalar) throw_mismatch(field.key, "a string", node);
    if (!field.choices.empty() && std::ranges::count(field.choices, node.text) == 0) {
      const std::string nearest = nearest_name(node.text, field.choices);
      throw_mismatch(field.key, "one of " + join(field.choices), node,
                     nearest.empty() ? "" : "did you mean " + nearest + "?");
    }
    *value = node.text;
  }

  void operator()(std::vector<std::string>* value) const {
    if (node.kind != Yaml::Kind::list) {
      throw_mismatch(field.key, "a list of strings", node,
                     node.kind == Yaml::Kind::scalar ? "put it in brackets: [ ]" : "");
    }
    value->clear();
    for (const Yaml& item : node.items) {
      if (item.kind != Yaml::Kind::scalar) {
        throw_mismatch(field.key + "[" + std::to_string(value->size()) + "]", "a string", item);
      }
      value->push_back(item.text);
    }
  }

 private:
  template <class Number>
  Number number(const std::string& type, Range<Number> range,
                std::optional<Number> (*parse)(std::string_view)) const {
    const std::string bounds = range_text(range);
    const std::string expected = bounds.empty() ? type : type + " (" + bounds + ")";
    if (node.kind != Yaml::Kind::scalar || node.quoted) {
      throw_mismatch(field.key, expected, node, quotes_hint(node));
    }
    const std::optional<Number> parsed = parse(node.text);
    if (!parsed || !range.contains(*parsed)) throw_mismatch(field.key, expected, node);
    return *parsed;
  }
};

// The node of a dotted key; nullptr if there is none.
const Yaml* find_node(const Yaml& map, std::string_view key) {
  const Yaml* node = &map;
  while (node != nullptr && !key.empty()) {
    node = node->find(key.substr(0, key.find('.')));
    key.remove_prefix(std::min(key.find('.'), key.size() - 1) + 1);
  }
  return node;
}

std::string hint_for_unknown(const std::vector<Field>& fields, const std::string& prefix,
                             const std::string& name) {
  if (name.find('.') != std::string::npos) {
    return "nest the keys in a file (group:, below it key:); dots are for --set";
  }
  std::vector<std::string> here;
  for (const Field& field : fields) {
    // In another group.
    if (("." + field.key).ends_with("." + name)) return "did you mean " + field.key + "?";
    if (!field.key.starts_with(prefix)) continue;
    const std::string rest = field.key.substr(prefix.size());
    if (rest.find('.') == std::string::npos) here.push_back(rest);
  }
  const std::string nearest = nearest_name(name, here);
  if (!nearest.empty()) return "did you mean " + prefix + nearest + "?";
  return "the keys here are: " + join(here);
}

void refuse_unknown_keys(const Yaml& map, const std::string& prefix,
                         const std::vector<Field>& fields) {
  for (const auto& [name, value] : map.members) {
    const auto field = std::ranges::find(fields, prefix + name, &Field::key);
    if (field == fields.end() || name.find('.') != std::string::npos) {
      throw InputError("unknown key " + json_quote(prefix + name), value.where(),
                       hint_for_unknown(fields, prefix, name));
    }
    if (field->is_group()) refuse_unknown_keys(value, field->key + ".", fields);
  }
}

}  // namespace

void read_fields(const Yaml& map, const std::function<std::vector<Field>()>& list) {
  std::vector<Field> fields = list();
  for (size_t i = 0; i < fields.size(); ++i) {
    const Yaml* const node = find_node(map, fields[i].key);
    if (node == nullptr) continue;
    std::visit(ValueReader{fields[i], *node}, fields[i].value);
    fields = list();
  }
  refuse_unknown_keys(map, "", fields);
}

}  // namespace rubric::config
