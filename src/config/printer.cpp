#include "config/printer.h"

#include <algorithm>
#include <cmath>

#include "config/variables.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Words that YAML 1.1 or 1.2 reads as something else than a string.
bool is_reserved(const std::string& word) {
  const std::string small = ascii_lower(word);
  for (const char* const reserved : {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}) {
    if (small == reserved) return true;
  }
  return false;
}

// Strings that need no quotes anywhere: names and paths.
bool is_plain(const std::string& value) {
  const auto is_plain_character = [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '/';
  };
  return !value.empty() && (is_letter(value[0]) || value[0] == '/') && !is_reserved(value) &&
         std::all_of(value.begin(), value.end(), is_plain_character);
}

class Printer : public FieldVisitor {
 public:
  std::string take() { return std::move(out_); }

  void field(const char* name, bool& value, const char* comment) override {
    print(name, value ? "true" : "false", comment);
  }
  void field(const char* name, int64_t& value, const char* comment, Range<int64_t>) override {
    print(name, std::to_string(value), comment);
  }
  void field(const char* name, double& value, const char* comment, Range<double>) override {
    if (!std::isfinite(value)) {
      throw Error("a number in the configuration is not finite", std::string("key ") + name);
    }
    print(name, number_text(value), comment);
  }
  void field(const char* name, std::optional<double>& value, const char* comment) override {
    if (value) field(name, *value, comment, Range<double>());
  }
  void field(const char* name, std::string& value, const char* comment,
             const std::vector<std::string>&) override {
    print(name, yaml_text(value), comment);
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

  void print(const char* name, const std::string& value, const char* comment) {
    out_ += indentation_ + "# " + comment + "\n";
    out_ += indentation_ + name + ":" + (value.empty() ? "" : " " + value) + "\n";
  }

  std::string out_, indentation_;
};

}  // namespace

std::string print_fields(const std::function<void(FieldVisitor&)>& visit) {
  Printer printer;
  visit(printer);
  return printer.take();
}

std::string yaml_text(const std::string& value) {
  return is_plain(value) ? value
                         : json_quote(escape_variables(value));  // JSON's escapes are YAML's
}

std::string yaml_text(const std::vector<std::string>& values) {
  std::vector<std::string> items;
  for (const std::string& value : values) items.push_back(yaml_text(value));
  return "[" + join(items) + "]";
}

}  // namespace rubric
