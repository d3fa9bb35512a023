// Lower case as Unicode has it, with its special cases: what Python's str.lower() and Java's
// String.toLowerCase() give.
#pragma once

#include <string>
#include <string_view>

namespace rubric {

std::string lower_case(std::string_view text);  // throws InputError for more than 2 GiB

}  // namespace rubric
