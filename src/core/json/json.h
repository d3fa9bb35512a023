// A JSON value that is written as it was read (members keep their order, numbers their digits), and
// JSON pointers into it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rubric {

class Json {
 public:
  struct Number {
    double value = 0;
    std::string text;  // as written in the source
  };
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  Json(bool value) : value_(value) {}
  Json(double value);  // NaN and infinities become null, as JSON has none
  Json(int64_t value);
  Json(int value) : Json(static_cast<int64_t>(value)) {}
  Json(uint64_t value);
  Json(std::string value) : value_(std::move(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  // A number that keeps the digits of `text`.
  static Json exact_number(double value, std::string text);
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  // Parses untrusted text: checks UTF-8, bounds the nesting, refuses repeated keys. Throws
  // InputError with `where` and the column, and with the line when the text has several.
  static Json parse(std::string_view text, const std::string& where);
  static Json parse_file(const std::filesystem::path& path);

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_number() const { return std::holds_alternative<Number>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  const char* kind() const;  // "an object", "a string": for messages

  // The value as the given type; throws std::bad_variant_access when it has another. A temporary's
  // array() and object() are moved out, so that a loop over `to_json(x).object()` reads no freed
  // memory; other references into it end with it.
  bool boolean() const { return std::get<bool>(value_); }
  double number() const { return std::get<Number>(value_).value; }
  const std::string& number_text() const { return std::get<Number>(value_).text; }
  const std::string& string() const { return std::get<std::string>(value_); }
  const Array& array() const& { return std::get<Array>(value_); }
  const Object& object() const& { return std::get<Object>(value_); }
  Array& array() & { return std::get<Array>(value_); }
  Object& object() & { return std::get<Object>(value_); }
  Array array() && { return std::get<Array>(std::move(value_)); }
  Object object() && { return std::get<Object>(std::move(value_)); }

  // The member of an object, or nullptr when this is not an object or has no such member.
  const Json* find(std::string_view key) const;

  // The member of an object, which must have the given type. Throws InputError naming `where`.
  const Json& require(std::string_view key, const std::string& where) const;
  const std::string& require_string(std::string_view key, const std::string& where) const;
  double require_number(std::string_view key, const std::string& where) const;
  int64_t require_integer(std::string_view key, const std::string& where) const;
  bool require_boolean(std::string_view key, const std::string& where) const;
  const Array& require_array(std::string_view key, const std::string& where) const;

  // The member of an object, added when it is missing. This must be an object or null.
  Json& operator[](std::string_view key);

  // JSON on one line or, with `indent` >= 0, one element a line indented by that many spaces a
  // level.
  std::string dump(int indent = -1) const;

 private:
  void append_to(std::string& out, int indent, int level) const;

  std::variant<std::monostate, bool, Number, std::string, Array, Object> value_;
};

// `text` in double quotes with JSON's escapes.
std::string json_quote(std::string_view text);

// A user's text as a part of a signature: json_quote() without the quotes, and \x7c and \x3a for
// the bars and colons that separate a signature's parts. Of several texts, between commas, a comma
// is \x2c: {"f1", "a,b|c"} is "f1,a\x2cb\x7cc".
std::string signature_text(std::string_view text);
std::string signature_texts(std::span<const std::string> texts);

// Returns the value that a JSON pointer (RFC 6901) such as "/best/value" refers to.
// Of an array of objects, "[metric=f1,statistic=mean]" is the only item with these texts and no
// other text; "~2" is a comma there.
// Throws InputError at `where` when `pointer` is malformed or refers to nothing; the message says
// which part exists and suggests the nearest name.
const Json& at_pointer(const Json& document, std::string_view pointer, const std::string& where);

// Escapes "~", "/" and "," in `name` for use as one part of a pointer.
std::string pointer_part(std::string_view name);

}  // namespace rubric
