#include "core/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"

namespace rubric {
namespace {

constexpr size_t kDeepestNesting = 100;

// ":line:column", or in a text of one line (JSON lines) ", column c"; both count from 1, in bytes.
std::string place_in(std::string_view text, size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string column = std::to_string(before.size() - line_start + 1);
  if (text.find('\n') == std::string_view::npos) return ", column " + column;
  return ":" + std::to_string(line) + ":" + column;
}

std::string repeated_key(const Json::Object& members) {
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const auto& [key, value] : members) keys.emplace_back(key);
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  return twice == keys.end() ? "" : std::string(*twice);
}

// Reads through a text and counts what has been read, which is where a problem is.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, size_t* read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    ++at_;
    ++*read_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  size_t* read_;
};

// Without the place, and without the text itself, which may be long or not UTF-8. nlohmann writes
// "[json.exception.parse_error.101] parse error at line 1, column 4: syntax error while parsing
// value - invalid literal; last read: 'nul'".
std::string problem_of(const nlohmann::json::exception& error) {
  constexpr int kNumberOverflow = 406;
  if (error.id == kNumberOverflow) return "a number is out of range";
  const std::string text = error.what();
  const std::string reason = text.substr(text.find(" - ") + 3);
  return "not valid JSON: " + reason.substr(0, reason.find("; last read: "));
}

// Receives nlohmann's parsing events and builds Json; stops at the first error.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(number_integer_t value) {  // has a minus sign: else it is unsigned
    return add(value == 0 ? Json::exact_number(-0.0, "-0") : Json(int64_t{value}));
  }
  bool number_unsigned(number_unsigned_t value) { return add(Json(uint64_t{value})); }
  bool number_float(number_float_t value, const string_t& text) {
    return add(Json::exact_number(value, text));
  }
  bool string(string_t& value) { return add(Json(std::move(value))); }
  bool binary(binary_t&) { return fail("binary values are not JSON"); }
  bool start_object(size_t) { return open(Json(Json::Object())); }
  bool start_array(size_t) { return open(Json(Json::Array())); }
  bool key(string_t& value) {
    keys_.back() = std::move(value);
    return true;
  }
  bool end_object() {
    const std::string twice = repeated_key(open_.back().object());
    if (!twice.empty()) return fail("the key " + json_quote(twice) + " occurs twice in one object");
    return close();
  }
  bool end_array() { return close(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception& error) {
    position_ = position;
    return fail(problem_of(error));
  }

  Json take() { return std::move(root_); }
  const std::string& message() const { return message_; }
  size_t position() const { return position_; }  // from 1; 0: where the reader stands

 private:
  bool fail(const std::string& message) {
    message_ = message;
    return false;
  }
  bool add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().array().push_back(std::move(value));
    } else {
      open_.back().object().emplace_back(std::move(keys_.back()), std::move(value));
    }
    return true;
  }
  bool open(Json container) {
    if (open_.size() >= kDeepestNesting) {
      return fail("nested deeper than " + std::to_string(kDeepestNesting) + " levels");
    }
    open_.push_back(std::move(container));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    Json closed = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return add(std::move(closed));
  }

  Json root_;
  std::vector<Json> open_;
  std::vector<std::string> keys_;
  std::string message_;
  size_t position_ = 0;
};

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

Json Json::parse(std::string_view text, const std::string& where) {
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    // nlohmann takes it for the end and would not see what follows.
    throw InputError("not valid JSON: a zero byte", where + place_in(text, zero));
  }
  Builder builder;
  size_t read = 0;
  const Cursor begin(text.data(), &read), end(text.data() + text.size(), &read);
  if (nlohmann::json::sax_parse(begin, end, &builder)) return builder.take();
  const size_t position = builder.position() > 0 ? builder.position() : read;
  throw InputError(builder.message(), where + place_in(text, position - 1));
}

Json Json::parse_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::string_view text = file.bytes();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return parse(text, path.string());
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
  if (!is_object()) throw InputError(std::string("expected an object, found ") + kind(), where);
  const Json* member = find(key);
  if (member != nullptr) return *member;
  std::vector<std::string> names;
  for (const auto& [name, value] : object()) names.push_back(name);
  const std::string nearest = nearest_name(key, names);
  throw InputError("the field " + json_quote(key) + " is missing", where,
                   nearest.empty() ? "" : "did you mean " + json_quote(nearest) + "?");
}

namespace {

[[noreturn]] void throw_wrong_kind(std::string_view key, const char* expected, const Json& found,
                                   const std::string& where) {
  throw InputError(
      "the field " + json_quote(key) + " must be " + expected + ", it is " + found.kind(), where);
}

}  // namespace

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
    throw InputError("the field " + json_quote(key) + " must be a whole number", where);
  }
  return static_cast<int64_t>(number);
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
    out += json_quote(string());
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
      out += json_quote(object()[i].first);
      out += ": ";
      object()[i].second.append_to(out, indent, level + 1);
    }
    if (!object().empty()) new_line(level);
    out += '}';
  }
}

std::string json_quote(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[static_cast<unsigned char>(c) >> 4];
          out += kHex[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

}  // namespace rubric
