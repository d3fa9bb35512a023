#include "core/json/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/text/ascii.h"

namespace rubric {

namespace {

// The character after the backslash in JSON's escape of `c`, 'u' for the six-character form, or 0
// without escape.
char escape_of(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return static_cast<unsigned char>(c) < 0x20 ? 'u' : '\0';
  }
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  size_t run = 0;  // start of the current run of unescaped characters
  for (size_t i = 0; i < text.size(); ++i) {
    const char escape = escape_of(text[i]);
    if (escape == '\0') continue;
    out.append(text, run, i - run);
    run = i + 1;
    out += '\\';
    out += escape;
    if (escape != 'u') continue;
    out += "00";
    out += kHex[static_cast<unsigned char>(text[i]) >> 4];
    out += kHex[static_cast<unsigned char>(text[i]) & 15];
  }
  out.append(text, run);
  out += '"';
}

[[noreturn]] void throw_wrong_kind(std::string_view key, const char* expected, const Json& found,
                                   const std::string& where) {
  throw InputError(
      "the field " + json_quote(key) + " must be " + expected + ", it is " + found.kind(), where,
      std::string("write ") + expected);
}

std::string unescaped(std::string_view part) {
  std::string name;
  for (size_t i = 0; i < part.size(); ++i) {
    const bool is_escape = part[i] == '~' && i + 1 < part.size();
    if (is_escape) ++i;
    name += !is_escape ? part[i] : part[i] == '1' ? '/' : part[i] == '2' ? ',' : '~';
  }
  return name;
}

// The element that `name` refers to; nullptr when there is none.
const Json* element(const Json& parent, const std::string& name) {
  if (!parent.is_array()) return parent.find(name);
  size_t index = 0;
  const char* const end = name.data() + name.size();
  const auto [stopped, error] = std::from_chars(name.data(), end, index);
  if (error != std::errc() || stopped != end || index >= parent.array().size()) return nullptr;
  return &parent.array()[index];
}

// The only item of an array of objects that has the texts of "[NAME=TEXT,…]" and no other text;
// nullptr where there is none such, or several are. Why a value is missing identifies no item.
const Json* item_with(const Json& array, std::string_view texts) {
  std::vector<std::pair<std::string, std::string>> wanted;
  texts = texts.substr(1, texts.size() - 2);
  for (size_t begin = 0; begin < texts.size();) {
    const size_t end = std::min(texts.find(',', begin), texts.size());
    const std::string_view part = texts.substr(begin, end - begin);
    const size_t equals = part.find('=');
    if (equals == part.npos) return nullptr;
    wanted.emplace_back(part.substr(0, equals), unescaped(part.substr(equals + 1)));
    begin = end + 1;
  }
  const Json* found = nullptr;
  for (const Json& item : array.array()) {
    if (!item.is_object()) continue;
    size_t has = 0, texts_of_item = 0;
    for (const auto& [name, value] : item.object()) {
      if (!value.is_string() || name == "why_missing") continue;
      ++texts_of_item;
      has += std::ranges::count(wanted, std::pair(name, value.string())) > 0 ? 1 : 0;
    }
    if (has != wanted.size() || texts_of_item != has) continue;
    if (found != nullptr) return nullptr;
    found = &item;
  }
  return found;
}

std::string advice(const Json& parent, const std::string& name) {
  if (!parent.is_object()) return std::string("there is ") + parent.kind() + " there";
  std::vector<std::string> names;
  for (const auto& member : parent.object()) names.push_back(member.first);
  const std::string nearest = nearest_name(name, names);
  return nearest.empty() ? "there are: " + join_some(names) : "did you mean " + nearest + "?";
}

}  // namespace

Json::Json(double value) {
  if (!std::isfinite(value)) return;
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  value_ = Number{value, std::string(digits, end)};
}

Json::Json(int64_t value) : value_(Number{static_cast<double>(value), std::to_string(value)}) {}

Json::Json(uint64_t value) : value_(Number{static_cast<double>(value), std::to_string(value)}) {}

Json Json::exact_number(double value, std::string text) {
  Json number;
  number.value_ = Number{value, std::move(text)};
  return number;
}

const char* Json::kind() const {
  constexpr const char* kNames[] = {"null",     "true or false", "a number",
                                    "a string", "an array",      "an object"};
  return kNames[value_.index()];
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  for (const auto& [name, value] : object()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Json& Json::require(std::string_view key, const std::string& where) const {
  if (!is_object())
    throw InputError(std::string("expected an object, found ") + kind(), where,
                     "write it as an object, {…}");
  const Json* member = find(key);
  if (member != nullptr) return *member;
  std::vector<std::string> names;
  for (const auto& [name, value] : object()) names.push_back(name);
  const std::string nearest = nearest_name(key, names);
  for (std::string& name : names) name = json_quote(name);
  throw InputError("the field " + json_quote(key) + " is missing", where,
                   !nearest.empty() ? "did you mean " + json_quote(nearest) + "?"
                   : names.empty()  ? "add it: there are no fields"
                                    : "add it, or rename one of the fields: " + join_some(names));
}

const std::string& Json::require_string(std::string_view key, const std::string& where) const {
  const Json& member = require(key, where);
  if (!member.is_string()) throw_wrong_kind(key, "a string", member, where);
  return member.string();
}

double Json::require_number(std::string_view key, const std::string& where) const {
  const Json& member = require(key, where);
  if (!member.is_number()) throw_wrong_kind(key, "a number", member, where);
  return member.number();
}

int64_t Json::require_integer(std::string_view key, const std::string& where) const {
  constexpr double kExact = 9007199254740992.0;  // doubles hold every integer up to 2^53
  const double number = require_number(key, where);
  if (number != std::floor(number) || std::abs(number) > kExact) {
    throw InputError("the field " + json_quote(key) + " must be a whole number", where,
                     "write a whole number");
  }
  return static_cast<int64_t>(number);
}

bool Json::require_boolean(std::string_view key, const std::string& where) const {
  const Json& member = require(key, where);
  if (!member.is_bool()) throw_wrong_kind(key, "true or false", member, where);
  return member.boolean();
}

const Json::Array& Json::require_array(std::string_view key, const std::string& where) const {
  const Json& member = require(key, where);
  if (!member.is_array()) throw_wrong_kind(key, "an array", member, where);
  return member.array();
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  for (auto& [name, value] : object()) {
    if (name == key) return value;
  }
  object().emplace_back(std::string(key), Json());
  return object().back().second;
}

std::string Json::dump(int indent) const {
  std::string out;
  append_to(out, indent, 0);
  return out;
}

void Json::append_to(std::string& out, int indent, int level) const {
  const auto new_line = [&](int at_level) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<size_t>(indent) * static_cast<size_t>(at_level), ' ');
  };
  const char* const separator = indent < 0 ? ", " : ",";
  if (is_null()) {
    out += "null";
  } else if (is_bool()) {
    out += boolean() ? "true" : "false";
  } else if (is_number()) {
    out += number_text();
  } else if (is_string()) {
    append_quoted(out, string());
  } else if (is_array()) {
    out += '[';
    for (size_t i = 0; i < array().size(); ++i) {
      if (i > 0) out += separator;
      new_line(level + 1);
      array()[i].append_to(out, indent, level + 1);
    }
    if (!array().empty()) new_line(level);
    out += ']';
  } else {
    out += '{';
    for (size_t i = 0; i < object().size(); ++i) {
      if (i > 0) out += separator;
      new_line(level + 1);
      append_quoted(out, object()[i].first);
      out += ": ";
      object()[i].second.append_to(out, indent, level + 1);
    }
    if (!object().empty()) new_line(level);
    out += '}';
  }
}

std::string json_quote(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string signature_text(std::string_view text) {
  std::string quoted = json_quote(text);
  quoted = quoted.substr(1, quoted.size() - 2);
  replace_all(quoted, "|", "\\x7c");
  replace_all(quoted, ":", "\\x3a");
  return quoted;
}

std::string signature_texts(std::span<const std::string> texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) {
    replace_all(parts.emplace_back(signature_text(text)), ",", "\\x2c");
  }
  return join(parts, ",");
}

const Json& at_pointer(const Json& document, std::string_view pointer, const std::string& where) {
  if (!pointer.empty() && pointer.front() != '/') {
    throw InputError("not a JSON pointer: " + json_quote(pointer), where, "begin it with /");
  }
  const Json* value = &document;
  for (size_t begin = 0; begin < pointer.size();) {
    const size_t end = std::min(pointer.find('/', begin + 1), pointer.size());
    const std::string_view part = pointer.substr(begin + 1, end - begin - 1);
    const std::string name = unescaped(part);
    const bool selects = value->is_array() && part.starts_with('[') && part.ends_with(']');
    const Json* const next = selects ? item_with(*value, part) : element(*value, name);
    if (next == nullptr) {
      throw InputError("nothing at " + json_quote(pointer) + ": no " + json_quote(name) +
                           (begin == 0 ? "" : " below " + std::string(pointer.substr(0, begin))),
                       where, advice(*value, name));
    }
    value = next;
    begin = end;
  }
  return *value;
}

std::string pointer_part(std::string_view name) {
  std::string part;
  for (const char c : name) {
    if (c == '~') {
      part += "~0";
    } else if (c == '/') {
      part += "~1";
    } else if (c == ',') {
      part += "~2";
    } else {
      part += c;
    }
  }
  return part;
}

}  // namespace rubric
