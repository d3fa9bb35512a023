// sacreBLEU's tokenisers (Post 2018), as sacrebleu 2.6 has them.
#pragma once

#include <string>
#include <string_view>

namespace rubric::metrics {

// Each returns the tokens of a text separated by white space, one or more characters of it.

// mteval-v13a.pl's, for Western languages: ASCII punctuation apart; full stop, comma and hyphen by
// the digits beside them; some HTML entities as their characters.
std::string tokenize_13a(std::string_view text);

// mteval-v14.pl's: Unicode's punctuation apart, except between digits, and symbols.
std::string tokenize_international(std::string_view text);

// Every character is a token.
std::string tokenize_characters(std::string_view text);

// Every Chinese character is a token; the rest as 13a, without its entities.
std::string tokenize_chinese(std::string_view text);

// What sacreBLEU takes for a Chinese character: among others every character from U+2001 to U+2A6D,
// since U+20000 is written there as "\u20000".
bool is_chinese_in_sacrebleu(char32_t c);

// The text itself.
std::string tokenize_not(std::string_view text);

struct SacreBleuTokenizer {
  std::string_view name;
  std::string (*tokenize)(std::string_view text);
};

inline constexpr SacreBleuTokenizer kSacreBleuTokenizers[] = {{"13a", tokenize_13a},
                                                              {"intl", tokenize_international},
                                                              {"char", tokenize_characters},
                                                              {"zh", tokenize_chinese},
                                                              {"none", tokenize_not}};

}  // namespace rubric::metrics
