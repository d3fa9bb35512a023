// chrF (Popović 2015) and chrF++ (Popović 2017) as sacreBLEU (Post 2018) computes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/kind.h"
#include "metrics/ngram/sacrebleu.h"
#include "metrics/ngram/words.h"

namespace rubric::metrics {

// The n-grams of a reference's symbols (characters, or numbers of words), as a tree: one of n
// symbols is a child of its first n - 1.
class NgramTree {
 public:
  void read(std::span<const uint32_t> symbols, size_t orders);
  // Adds for each order {n-grams of `symbols`, n-grams of the reference, matches}; the first is 0
  // where the reference has none.
  void count(std::span<const uint32_t> symbols, std::vector<double>& counts);

 private:
  IdMap<uint64_t> ids_;  // of a parent and a symbol
  // By n-gram: its count in the reference, and in a candidate while that is counted, else 0.
  std::vector<uint32_t> most_, found_;
  std::vector<size_t> ngrams_;  // of the reference, by order
};

// chrF, 0 to 100, of counts that may be sums over candidates: {n-grams of the candidate, of the
// reference, matches} for each order of characters, then of words. F with beta 2 of the mean
// precision and the mean recall of the orders that both texts have.
double chrf_score(std::span<const double> counts);

// Counts n-grams of 1 … 6 characters other than white space, and of 1 … `word_orders` words; keeps
// the references' while they stay the same.
class Chrf {
 public:
  static constexpr size_t kCharacterOrders = 6;

  Chrf(size_t word_orders, bool lowercase) : word_orders_(word_orders), lowercase_(lowercase) {}

  // The counts that chrf_score() takes, by the reference with the best score, the first of several.
  // `references` must not be empty.
  std::vector<double> count(std::span<const std::string> references, std::string_view candidate);

 private:
  struct Reference {
    NgramTree characters, words;
  };

  void read(std::span<const std::string> references);
  std::string cased(std::string_view text) const;

  size_t word_orders_;
  bool lowercase_;
  std::vector<std::string> given_;  // the references
  std::vector<Reference> references_;
  ReferenceWords words_;
};

std::unique_ptr<AnswerMetric> make_chrf(const Settings& settings);

inline constexpr Setting kWordOrder = {
    .name = "word-order",
    .type = Setting::Type::integer,
    .value_name = "N",
    .help = "counts n-grams of 1 to N words beside those of characters (2: chrF++; the default: 0)",
    .low = 0,
    .high = 6};
inline constexpr const Setting* kChrfSettings[] = {&kWordOrder, &kLowercase};
inline constexpr std::string_view kChrfAliases[] = {"chrF", "chrF2"};

inline constexpr MetricKind kChrf = {
    .name = "chrf",
    .summary =
        "chrF (Popović 2015) of the corpus and of each row, 0 to 100, as sacreBLEU computes them; "
        "chrF++ with --word-order 2",
    .aliases = kChrfAliases,
    .settings = kChrfSettings,
    .make = make_chrf,
    .has_corpus_score = true,
    .example = "score chrf --word-order 2"};

}  // namespace rubric::metrics
