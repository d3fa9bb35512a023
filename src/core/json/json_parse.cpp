#include <algorithm>
#include <cstddef>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/utf8.h"

namespace rubric {
namespace {

constexpr size_t kDeepestNesting = 100;

// ":line:column", or ", column c" for a text of one line (JSON lines); both count from 1, in bytes.
std::string place_in(std::string_view text, size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string column = std::to_string(before.size() - line_start + 1);
  if (text.find('\n') == std::string_view::npos) return ", column " + column;
  return ":" + std::to_string(line) + ":" + column;
}

// What to do about a problem there.
std::string advice_at(std::string_view text, size_t position) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  if (begin == text.size()) return "there is nothing in it: write it again";
  if (text[begin] != '{' && text[begin] != '[') {
    return "this is no JSON, which begins with { or [: name a file of JSON";
  }
  if (position > text.find_last_not_of(kBlank)) {
    return "the text ends there: if it was cut off, write it again";
  }
  if (!is_valid_utf8(text)) {
    return "convert the file to UTF-8, as from Excel's encoding: iconv -f WINDOWS-1252 -t UTF-8 "
           "FILE > NEW";
  }
  return "correct it there";
}

std::string repeated_key(const Json::Object& members) {
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const auto& [key, value] : members) keys.emplace_back(key);
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  return twice == keys.end() ? "" : std::string(*twice);
}

// Iterates over a text and counts the characters read, to locate a problem.
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

// The message without the place, and without the text, which may be long or not UTF-8. nlohmann
// writes "[json.exception.parse_error.101] parse error at line 1, column 4: syntax error while
// parsing value - invalid literal; last read: 'nul'".
std::string problem_of(const nlohmann::json::exception& error) {
  constexpr int kNumberOverflow = 406;
  if (error.id == kNumberOverflow) return "a number is out of range";
  const std::string text = error.what();
  const std::string reason = text.substr(text.find(" - ") + 3);
  return "not valid JSON: " + reason.substr(0, reason.find("; last read: "));
}

// Receives nlohmann's parsing events and builds Json; stops at the first error.
class JsonBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(number_integer_t value) {  // negative; others are unsigned
    return add(value == 0 ? Json::exact_number(-0.0, "-0") : Json(int64_t{value}));
  }
  bool number_unsigned(number_unsigned_t value) { return add(Json(uint64_t{value})); }
  bool number_float(number_float_t value, const string_t& text) {
    return add(Json::exact_number(value, text));
  }
  // Copied, as the lexer's buffer, once moved, would have to grow anew for the next text.
  bool string(const string_t& value) { return add(Json(value)); }
  bool binary(binary_t&) { return fail("binary values are not JSON"); }
  bool start_object(size_t) { return open(Json(Json::Object())); }
  bool start_array(size_t) { return open(Json(Json::Array())); }
  bool key(const string_t& value) {
    keys_.back() = value;
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
  size_t position() const { return position_; }  // from 1; 0: the reader's position

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

// The number that Python writes and JSON has not, if its first letter stands at `position`; else
// "".
std::string_view python_number(std::string_view text, size_t position) {
  for (const std::string_view word : {"NaN", "Infinity"}) {
    if (!text.substr(std::min(position, text.size())).starts_with(word)) continue;
    const size_t sign = position > 0 && text[position - 1] == '-' ? 1 : 0;
    return text.substr(position - sign, sign + word.size());
  }
  return {};
}

}  // namespace

Json Json::parse(std::string_view text, const std::string& where) {
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    // nlohmann would take it for the end of the text.
    throw InputError("not valid JSON: a zero byte", where + place_in(text, zero),
                     "name a file of text; if it is one, take the zero bytes out");
  }
  JsonBuilder quick;
  if (nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &quick))
    return quick.take();
  // Parses again to locate the problem: counting characters is too slow for valid texts.
  JsonBuilder builder;
  size_t read = 0;
  const Cursor begin(text.data(), &read), end(text.data() + text.size(), &read);
  nlohmann::json::sax_parse(begin, end, &builder);
  const size_t position = builder.position() > 0 ? builder.position() : read;
  if (const std::string_view word = python_number(text, position - 1); !word.empty()) {
    throw InputError(
        "not valid JSON: " + std::string(word) + ", as Python writes it",
        where + place_in(text, position - 1),
        "write null, or leave it out (Python: json.dumps(…, allow_nan=False) finds it)");
  }
  throw InputError(builder.message(), where + place_in(text, position - 1),
                   advice_at(text, position - 1));
}

Json Json::parse_file(const std::filesystem::path& path) {
  std::error_code unknown;  // MappedFile says what is wrong
  const auto type = std::filesystem::status(path, unknown).type();
  const bool is_pipe = type == std::filesystem::file_type::fifo;
  if (is_pipe || (type == std::filesystem::file_type::regular && !is_plain_text(path))) {
    return parse(read_text(path), path.string());
  }
  const MappedFile file(path);
  std::string_view text = file.bytes();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return parse(text, path.string());
}

}  // namespace rubric
