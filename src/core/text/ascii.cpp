#include "core/text/ascii.h"

#include <charconv>
#include <cmath>

namespace rubric {

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int64_t> parse_count(std::string_view text) {
  int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stop != end || count < 0 || text.starts_with('-'))
    return std::nullopt;
  return count;
}

std::optional<double> parse_cell(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return parse_number(text);
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  size_t found = text.find(what);
  if (found == std::string::npos) return;
  std::string replaced;
  size_t copied = 0;
  for (; found != std::string::npos; found = text.find(what, copied)) {
    replaced.append(text, copied, found - copied).append(by);
    copied = found + what.size();
  }
  text = replaced.append(text, copied);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string ascii_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

}  // namespace rubric
