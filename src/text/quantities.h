// Writes the English numbers and days of a text in one form, so that texts of one meaning have the
// same words.
#pragma once

#include <string>
#include <string_view>

namespace rubric::text {

// normalize_numbers() of the text with whole numbers in digits ("twenty-five": "25", "1.2 million":
// "1200000", "nineteen forty-five": "1945") and each day as "15 april 1912" ("April 15th, 1912",
// "the 15th of Apr. 1912", "1912-04-15"). A day without a year is "15 april", a month with a year
// "april 1912". Ordinal numbers in words ("twenty-first"), "three and a half million" and
// days in figures alone ("4/15/1912") are not read.
std::string normalize_quantities(std::string_view text);

}  // namespace rubric::text
