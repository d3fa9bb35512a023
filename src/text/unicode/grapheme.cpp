#include "text/unicode/grapheme.h"

#include <algorithm>

#include <unicode/uchar.h>

#include "core/text/utf8.h"

namespace rubric {
namespace {

// Marks of Unicode 16 (and U+11F5A), which ICU has from version 76 on.
struct Range {
  char32_t first, last;
};
constexpr Range kNewMarks[] = {{0x897, 0x897},     {0x10D69, 0x10D6D}, {0x10EFC, 0x10EFC},
                               {0x113B8, 0x113C0}, {0x113C2, 0x113C2}, {0x113C5, 0x113C5},
                               {0x113C7, 0x113CA}, {0x113CC, 0x113D0}, {0x113D2, 0x113D2},
                               {0x113E1, 0x113E2}, {0x11F5A, 0x11F5A}, {0x1611E, 0x1612F},
                               {0x1E5EE, 0x1E5EF}};
constexpr int kUnicode = 16;

int32_t break_class(char32_t c) {
  const auto character = static_cast<UChar32>(c);
  UVersionInfo age;
  u_charAge(character, age);
  if (age[0] > kUnicode) return U_GCB_OTHER;
  const int32_t found = u_getIntPropertyValue(character, UCHAR_GRAPHEME_CLUSTER_BREAK);
  const auto has = [c](Range range) { return range.first <= c && c <= range.last; };
  return found == U_GCB_OTHER && std::ranges::any_of(kNewMarks, has) ? U_GCB_EXTEND : found;
}

bool is_pictograph(char32_t c) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC);
}

bool is_control(int32_t c) {
  return c == U_GCB_CR || c == U_GCB_LF || c == U_GCB_CONTROL;
}

bool extends(int32_t c) {
  return c == U_GCB_EXTEND || c == U_GCB_ZWJ || c == U_GCB_SPACING_MARK;
}

// GB6 to GB8: the letters of one Hangul syllable.
bool joins_hangul(int32_t before, int32_t behind) {
  if (before == U_GCB_L) {
    return behind == U_GCB_L || behind == U_GCB_V || behind == U_GCB_LV || behind == U_GCB_LVT;
  }
  if (before == U_GCB_LV || before == U_GCB_V) return behind == U_GCB_V || behind == U_GCB_T;
  return (before == U_GCB_LVT || before == U_GCB_T) && behind == U_GCB_T;
}

}  // namespace

size_t grapheme_end(std::string_view text, size_t position) {
  char32_t c = decode_utf8(text, position);
  int32_t before = break_class(c);
  bool after_pictograph = is_pictograph(c);  // only marks since, and then a joiner (GB11)
  bool is_half_flag = before == U_GCB_REGIONAL_INDICATOR;
  for (size_t next = position; position < text.size(); position = next) {
    c = decode_utf8(text, next);
    const int32_t behind = break_class(c);
    if (before == U_GCB_CR && behind == U_GCB_LF) return next;
    if (is_control(before) || is_control(behind)) return position;
    const bool completes_flag = is_half_flag && behind == U_GCB_REGIONAL_INDICATOR;
    const bool joins_pictograph = before == U_GCB_ZWJ && after_pictograph && is_pictograph(c);
    if (!extends(behind) && before != U_GCB_PREPEND && !joins_hangul(before, behind) &&
        !joins_pictograph && !completes_flag) {
      return position;
    }
    if (behind != U_GCB_EXTEND && behind != U_GCB_ZWJ) after_pictograph = is_pictograph(c);
    is_half_flag = behind == U_GCB_REGIONAL_INDICATOR && !completes_flag;
    before = behind;
  }
  return position;
}

}  // namespace rubric
