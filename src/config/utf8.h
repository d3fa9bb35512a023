// The check that hostile text passes before it is used.
#pragma once

#include <string_view>

namespace rubric {

// Where `text` stops being text: the first byte that is not part of a UTF-8 character (RFC 3629: no
// overlong forms, no surrogates, nothing beyond U+10FFFF) or is a control character other than tab,
// line feed and carriage return. std::string_view::npos when there is none.
size_t find_invalid_text(std::string_view text);

}  // namespace rubric
