// Writes the English numbers, times and days of a text in one form, so that texts of one meaning
// have the same words, and numbers of other values other words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rubric::text {

// normalize_numbers() of the text, whose numbers are words by their value:
//
//   whole numbers    25 for "twenty-five"; 12500 for "12,500", "12 500" and "12.5 thousand"; 1945
//                    for "nineteen forty-five"; 3500000 for "three and a half million"
//   decimals         3.14 for "3.140", "3,14", "three point one four" and the digits of each script
//   signs            -5 for "-5", "−5" (U+2212), "-five" and "minus five"
//   fractions        0.5 for "1/2", "½", "one half" and "half" alone; 2.5 for "2 1/2" and "two and
//                    a half"; 2/3 for "two thirds"
//   percents         "35 percent" for "35%" and "35 per cent"
//   amounts          5000000 for "$5M"; "€ 5" for "€5" and "5 €"
//   ordinal numbers  21st for "twenty-first"
//   times            10:30 for "ten thirty" and "half past ten"; 10:00am for "10 a.m." and "ten in
//                    the morning"; 12:00pm for "noon" alone or behind "at"; 8:00 for "8 o'clock"
//   ranges, scores   3-1 for "3–1" and "three-one"; 3-to-1 for "3 to 1"; 1990-1995 for "1990–95"
//   comparisons      more-than-5 for ">5" and "more than 5"; no-more-than-5, which is at-most-5;
//                    5-or-more; 5-or-more years for "5 years or more"
//   feet and inches  6ft2in for "6'2\"" and "6 ft 2 in"
//   versions         "version 2.0.1" for "v2.0.1"
//   signed letters   o- for "O−" and "O negative"; c++ for "C plus plus"; f# for "F♯"
//   days             "15 april 1912" for "April 15th, 1912", "the fifteenth of Apr. 1912",
//                    "1912-04-15", "1912/04/15", "15.04.1912" and "15-04-1912"; "15 april"; "april
//                    1912" for "1912-04"
//
// A number keeps its point, sign, slash and colon, which normalize_numbers() would drop: "314" is
// not "3.14". Digits that no rule reads stay as they are written ("4/4", "192.168.0.1"), and
// punctuation other than a hyphen between two numbers parts them ("3, 2": "3 2"). A no-break or
// thin blank parts thousands where three digits follow one to three, and nothing else: "555 123
// 4567" are three numbers. A plain blank does so where the last group is "000", or where no word
// stands directly before the number, no "-" with a word behind it, and the first group has one or
// two digits or a sign, unit or decimal is there: "12 500" and "384 400 km" are one number, "100
// 200" and "Psalm 119 105" two. Not read are quantities in another unit, "5k" without a currency,
// and days of which the month is not certain ("4/5/1912").
std::string normalize_quantities(std::string_view text);

// A word of normalize_quantities() whose order counts, a range or a comparison, as several words:
// "3 5" for "3-5", "more than 5" for "more-than-5".
std::string parted(std::string word);

// The words of a normalised candidate, parted(), where a reference, normalised alike, has the same
// quantity in its form: "10:30pm" for "22:30", "10:30" and "10.30", "15000" for "15k". A word stays
// whole where a reference has the same numbers in another order, "1-3" beside "3-1", or another
// comparison of them.
std::string compared_quantities(std::string_view candidate,
                                std::span<const std::string> references);

// Whether two words have the same digits in another order ("1-3" and "3-1") or with other halves of
// the day or comparisons. Zeros of hundreds from 1000 on do not count: "4500" and "45000".
bool are_other_orders(std::string_view one, std::string_view other);

}  // namespace rubric::text
