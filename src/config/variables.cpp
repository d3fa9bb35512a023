#include "config/variables.h"

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "core/text/utf8.h"

namespace rubric {
namespace {

constexpr size_t kLongestValue = size_t{1} << 20;  // bytes: a file can name a long variable often

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_letter_or_digit = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), is_letter_or_digit);
}

// What stands between `${` and `}`: "VAR" or "VAR:-default".
std::string lookup(std::string_view inside, const std::string& key, const std::string& where) {
  const size_t separator = inside.find(":-");
  const std::string name(inside.substr(0, separator));
  if (!is_variable_name(name)) {
    throw InputError(key + ": not a variable's name in ${…}", where,
                     "write ${NAME} or ${NAME:-default}, and $${ for a literal ${");
  }
  if (inside.find("${") != std::string_view::npos) {
    throw InputError(key + ": a variable in the default of ${" + name + "}", where,
                     "write the default out, or set " + name);
  }
  const char* const value = std::getenv(name.c_str());
  if (separator != std::string_view::npos && (value == nullptr || *value == '\0')) {
    return std::string(inside.substr(separator + 2));
  }
  if (value == nullptr) {
    throw InputError(key + ": the environment variable " + name + " is not set", where,
                     "set it (export " + name + "=…) or write a default: ${" + name + ":-…}");
  }
  if (find_invalid_text(value) != std::string_view::npos) {
    throw InputError(key + ": the environment variable " + name + " is not UTF-8 text", where);
  }
  return value;
}

}  // namespace

std::string expand_variables(std::string_view text, const std::string& key,
                             const std::string& where) {
  std::string expanded;
  while (!text.empty()) {
    if (text.starts_with("$${")) {
      expanded += "${";
      text.remove_prefix(3);
    } else if (text.starts_with("${")) {
      const size_t end = text.find('}');
      if (end == std::string_view::npos) {
        throw InputError(key + ": ${ without }", where,
                         "close the variable's name, or write $${ for a literal ${");
      }
      expanded += lookup(text.substr(2, end - 2), key, where);
      text.remove_prefix(end + 1);
    } else {
      expanded += text.front();
      text.remove_prefix(1);
    }
    if (expanded.size() > kLongestValue) {
      throw InputError(key + ": longer than " + std::to_string(kLongestValue) +
                           " bytes once its variables are filled in",
                       where);
    }
  }
  return expanded;
}

std::string escape_variables(std::string_view text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) escaped += '$';
    escaped += text[i];
  }
  return escaped;
}

}  // namespace rubric
