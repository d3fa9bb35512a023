// Writes the English numbers, times and days of a text in one form, so that texts of one meaning
// have the same words, and numbers of other values other words.
#pragma once

#include <string>
#include <string_view>

namespace rubric::text {

// normalize_numbers() of the text, whose numbers are words by their value:
//
//   whole numbers    25 for "twenty-five"; 1200 for "1,200" and "1.2 thousand"; 1945 for "nineteen
//                    forty-five"; 3500000 for "three and a half million"
//   decimals         3.14 for "3.140", "3,14" and "three point one four"
//   signs            -5 for "-5", "−5" (U+2212) and "minus five"
//   fractions        0.5 for "1/2", "½", "one half" and "half" alone; 2.5 for "2 1/2" and "two and
//   a
//                    half"; 2/3 for "two thirds"
//   percents         "35 percent" for "35%" and "35 per cent"
//   ordinal numbers  21st for "twenty-first"
//   times            10:30 for "ten thirty" and "half past ten"; "10 am" for "10:00 a.m."
//   days             "15 april 1912" for "April 15th, 1912", "the fifteenth of Apr. 1912",
//                    "1912-04-15" and "15.04.1912"; "15 april"; "april 1912"
//
// A number keeps its point, sign, slash and colon, which normalize_numbers() would drop: "314" is
// not "3.14". Digits that no rule reads stay as they are written ("4/4", "192.168.0.1"), and
// punctuation between two numbers parts them ("3-2": "3 2"). Not read are quantities in another
// unit and days of which the month is not certain ("4/5/1912").
std::string normalize_quantities(std::string_view text);

}  // namespace rubric::text
