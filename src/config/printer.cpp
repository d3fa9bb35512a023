#include "config/printer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

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

class Printer : public FieldVisitor {
 public:
  explicit Printer(bool shows_allowed) : shows_allowed_(shows_allowed) {}

  std::string take() { return std::move(out_); }

  void field(const char* name, bool& value, const char* comment) override {
    print(name, value ? "true" : "false", comment);
  }
  void field(const char* name, int64_t& value, const char* comment, Range<int64_t> range) override {
    print(name, std::to_string(value), comment, range_text(range));
  }
  void field(const char* name, double& value, const char* comment, Range<double> range) override {
    if (!std::isfinite(value)) {
      throw Error("a number in the configuration is not finite", std::string("key ") + name);
    }
    print(name, number_text(value), comment, range_text(range));
  }
  void field(const char* name, std::optional<double>& value, const char* comment) override {
    if (value) field(name, *value, comment, Range<double>());
  }
  void field(const char* name, std::string& value, const char* comment,
             const std::vector<std::string>& choices) override {
    print(name, yaml_text(value), comment, join(choices));
  }
  void field(const char* name, std::vector<std::string>& value, const char* comment) override {
    print(name, yaml_text(value), comment);
  }

 private:
  void enter(const char* name, const char* comment) override {
    print(name, "", comment);
    indentation_ += "  ";
  }
  void leave() override { indentation_.resize(indentation_.size() - 2); }

  void print(const char* name, const std::string& value, const char* comment,
             const std::string& allowed = "") {
    out_ += indentation_ + "# " + comment;
    if (shows_allowed_ && !allowed.empty()) out_ += " (" + allowed + ")";
    out_ += "\n" + indentation_ + name + ":" + (value.empty() ? "" : " " + value) + "\n";
  }

  const bool shows_allowed_;
  std::string out_, indentation_;
};

template <class Number>
std::string bounds_text(Range<Number> range, const std::string& least, const std::string& most) {
  const bool has_least = range.least != Range<Number>().least;
  const bool has_most = range.most != Range<Number>().most;
  if (has_least && has_most) return "from " + least + " to " + most;
  if (has_least) return "at least " + least;
  if (has_most) return "at most " + most;
  return "";
}

class KeyList : public FieldVisitor {
 public:
  std::vector<std::string> keys;

  void field(const char* name, bool&, const char*) override { add(name); }
  void field(const char* name, int64_t&, const char*, Range<int64_t>) override { add(name); }
  void field(const char* name, double&, const char*, Range<double>) override { add(name); }
  void field(const char* name, std::optional<double>&, const char*) override { add(name); }
  void field(const char* name, std::string&, const char*,
             const std::vector<std::string>&) override {
    add(name);
  }
  void field(const char* name, std::vector<std::string>&, const char*) override { add(name); }

 private:
  void enter(const char* name, const char*) override { groups_.push_back(std::string(name) + "."); }
  void leave() override { groups_.pop_back(); }
  void add(const char* name) { keys.push_back(join(groups_, "") + name); }

  std::vector<std::string> groups_;
};

}  // namespace

std::string print_fields(const std::function<void(FieldVisitor&)>& visit, bool shows_allowed) {
  Printer printer(shows_allowed);
  visit(printer);
  return printer.take();
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

std::vector<std::string> keys_of_fields(const std::function<void(FieldVisitor&)>& visit) {
  KeyList list;
  visit(list);
  return std::move(list.keys);
}

}  // namespace rubric::config
