#include "config/fields.h"

#include <charconv>

namespace rubric {
namespace {

template <class Number>
std::string bounds_text(Range<Number> range, const std::string& least, const std::string& most) {
  const bool has_least = range.least != Range<Number>().least;
  const bool has_most = range.most != Range<Number>().most;
  if (has_least && has_most) return "from " + least + " to " + most;
  if (has_least) return "at least " + least;
  if (has_most) return "at most " + most;
  return "";
}

}  // namespace

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

}  // namespace rubric
