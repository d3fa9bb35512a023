#include "core/text/days.h"

#include <cstdint>

#include "core/text/ascii.h"

namespace rubric {

std::optional<int> parse_day(std::string_view word) {
  for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
    if (word.ends_with(ending)) {
      word.remove_suffix(ending.size());
      break;
    }
  }
  const std::optional<int64_t> day = word.size() <= 2 ? parse_count(word) : std::nullopt;
  if (!day || *day < 1 || *day > 31) return std::nullopt;
  return static_cast<int>(*day);
}

}  // namespace rubric
