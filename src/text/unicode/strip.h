// A text without the white space around it, as Python's str.strip() gives it.
#pragma once

#include <string_view>

namespace rubric {

std::string_view strip(std::string_view text);

}  // namespace rubric
