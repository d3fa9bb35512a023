// BLEU as sacreBLEU (Post 2018) computes it, and its tokenisers, as sacrebleu 2.6 has them.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/kind.h"
#include "metrics/ngram/bleu.h"

namespace rubric::metrics {

// Tokenisers. Each returns the tokens of a text, separated by one or more white-space characters.

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

// What BLEU takes for the precision of an order without match (Chen and Cherry 2014).
enum class Smoothing { exp, floor, add_k, none };

// BLEU-4, 0 to 100, of counts that may be sums over candidates: {candidate's words, reference's
// words, matches of 1 … 4 words, n-grams of 1 … 4 words}. `to_longest` leaves out the orders for
// which the candidate is too short (sacreBLEU's effective_order).
double sacrebleu_score(std::span<const double> counts, Smoothing smoothing, bool to_longest);

// Counts a candidate's n-grams of tokens; keeps the references' tokens while they stay the same.
class SacreBleu {
 public:
  SacreBleu(std::string (*tokenize)(std::string_view), bool lowercase)
      : tokenize_(tokenize), lowercase_(lowercase) {}

  // The counts that sacrebleu_score() takes. `references` must not be empty.
  std::vector<double> count(std::span<const std::string> references, std::string_view candidate);

 private:
  std::string tokens_of(std::string_view text) const;

  std::string (*tokenize_)(std::string_view);
  bool lowercase_;
  std::vector<std::string> references_, tokens_;  // as given, and their tokens
  Bleu counter_{BleuCounts::kMostWords};
};

std::unique_ptr<AnswerMetric> make_sacrebleu(const Settings& settings);

inline constexpr auto kTokenizerNames = [] {
  std::array<std::string_view, std::size(kSacreBleuTokenizers)> names;
  std::ranges::transform(kSacreBleuTokenizers, names.begin(), &SacreBleuTokenizer::name);
  return names;
}();
inline constexpr Setting kTokenize = {
    .name = "tokenize",
    .type = Setting::Type::text,
    .value_name = "NAME",
    .help = "sacreBLEU's tokeniser: 13a (the default), intl, char, zh or none",
    .choices = kTokenizerNames};

inline constexpr Setting kLowercase = {
    .name = "lowercase", .type = Setting::Type::flag, .help = "compares texts in lower case"};

// In the order of Smoothing.
inline constexpr std::string_view kSmoothings[] = {"exp", "floor", "add-k", "none"};
inline constexpr Setting kSmooth = {
    .name = "smooth",
    .type = Setting::Type::text,
    .value_name = "METHOD",
    .help =
        "orders without match: exp (the default), floor (.1 matches), add-k (1 more of each "
        "order above 1) or none, as sacreBLEU",
    .choices = kSmoothings};

inline constexpr const Setting* kSacreBleuSettings[] = {&kTokenize, &kLowercase, &kSmooth};
inline constexpr std::string_view kSacreBleuAliases[] = {"sacrebleu", "BLEU"};

inline constexpr MetricKind kSacreBleu = {
    .name = "bleu",
    .summary =
        "BLEU-4 of the corpus and of each row, 0 to 100, as sacreBLEU computes them (Post 2018); "
        "bleu1 to bleu4 are MS-COCO's",
    .aliases = kSacreBleuAliases,
    .settings = kSacreBleuSettings,
    .make = make_sacrebleu,
    .has_corpus_score = true,
    .example = "score bleu --tokenize intl"};

}  // namespace rubric::metrics
