#include "config/printer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <variant>

#include "config/fields.h"
#include "config/reader.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::config {

namespace {

// Words that YAML 1.1 or 1.2 does not read as a string.
bool is_reserved(const std::string& word) {
  const std::string small = ascii_lower(word);
  for (const char* const reserved : {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}) {
    if (small == reserved) return true;
  }
  return false;
}

// Whether a string (a name or path) never needs quotes.
bool is_plain(const std::string& value) {
  const auto is_plain_character = [](char c) {
    return is_ascii_letter(c) || is_ascii_digit(c) || c == '_' || c == '-' || c == '.' || c == '/';
  };
  return !value.empty() && (is_ascii_letter(value[0]) || value[0] == '/') && !is_reserved(value) &&
         std::all_of(value.begin(), value.end(), is_plain_character);
}

template <class Number>
std::string bounds_text(Range<Number> range, const std::string& least, const std::string& most) {
  const bool has_least = range.least != Range<Number>().least;
  const bool has_most = range.most != Range<Number>().most;
  if (has_least && has_most) return "from " + least + " to " + most;
  if (has_least) return "at least " + least;
  if (has_most) return "at most " + most;
  return "";
}

// A value as YAML; "" for none.
struct ValueText {
  const std::string& key;

  std::string operator()(std::monostate /*group*/) const { return ""; }
  std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
  std::string operator()(const int64_t* value) const { return std::to_string(*value); }
  std::string operator()(const double* value) const {
    if (std::isfinite(*value)) return number_text(*value);
    throw Error("a number in the configuration is not finite", "key " + key);
  }
  std::string operator()(const std::optional<double>* value) const {
    return *value ? (*this)(&**value) : "";
  }
  std::string operator()(const auto* value) const { return yaml_text(*value); }
};

std::string value_text(const Field& field) {
  return std::visit(ValueText{field.key}, field.value);
}

}  // namespace

std::string print_fields(const std::vector<Field>& fields, bool shows_allowed) {
  std::string text;
  for (const Field& field : fields) {
    const std::string value = value_text(field);
    if (value.empty() && !field.is_group()) continue;
    const std::string allowed =
        join(field.choices) + range_text(field.whole) + range_text(field.real);
    const std::string indentation(2 * std::ranges::count(field.key, '.'), ' ');
    text += indentation + "# " + field.comment;
    if (shows_allowed && !allowed.empty()) text += " (" + allowed + ")";
    text += "\n" + indentation + field.key.substr(field.key.rfind('.') + 1) + ":";
    text += (value.empty() ? "" : " " + value) + "\n";
  }
  return text;
}

FieldValues values_of_fields(const std::vector<Field>& fields) {
  FieldValues values;
  for (const Field& field : fields) {
    if (!field.is_group()) values.emplace_back(field.key, value_text(field));
  }
  return values;
}

std::string without_comments(const std::string& printed) {
  std::string values;
  for (size_t begin = 0; begin < printed.size();) {
    const size_t end = printed.find('\n', begin) + 1;  // of each line: texts have no line breaks
    if (printed[printed.find_first_not_of(' ', begin)] != '#') {
      values += printed.substr(begin, end - begin);
    }
    begin = end;
  }
  return values;
}

std::string yaml_text(const std::string& value) {
  return is_plain(value) ? value
                         : json_quote(escape_variables(value));  // JSON's escapes are valid YAML
}

std::string yaml_text(const std::vector<std::string>& values) {
  std::vector<std::string> items;
  for (const std::string& value : values) items.push_back(yaml_text(value));
  return "[" + join(items) + "]";
}

std::string range_text(Range<int64_t> range) {
  return bounds_text(range, std::to_string(range.least), std::to_string(range.most));
}

std::string range_text(Range<double> range) {
  return bounds_text(range, number_text(range.least), number_text(range.most));
}

std::string number_text(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  std::string text(digits, end);
  const size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    text.insert(exponent, ".0");
  }
  return text;
}

}  // namespace rubric::config
