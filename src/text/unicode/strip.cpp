#include "text/unicode/strip.h"

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric {

std::string_view strip(std::string_view text) {
  for (size_t next = 0; !text.empty() && is_python_space(decode_utf8(text, next)); next = 0) {
    text.remove_prefix(next);
  }
  for (size_t end = text.size(); end > 0 && is_python_space(decode_utf8_backwards(text, end));) {
    text = text.substr(0, end);
  }
  return text;
}

}  // namespace rubric
