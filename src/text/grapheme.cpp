#include "text/grapheme.h"

#include <unicode/uchar.h>

#include "core/utf8.h"

namespace rubric {
namespace {

int32_t break_class(char32_t c) {
  return u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK);
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
