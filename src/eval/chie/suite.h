// The CHIE suite: systems by the four aspects from a judge's ledger (Phatthiyaphaibun et al. 2024,
// Table 5), with BERTScore, F1, exact match and answer lengths.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/ledger/entry.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::eval {

enum class VerdictParser { published, strict };  // of judge/verdicts/verdicts.h

struct ChieAnswer {
  const judge::LedgerEntry* entry;          // the last attempt in the ledger
  std::optional<judge::Verdicts> verdicts;  // nothing if the reply holds none
  std::optional<double> bertscore = {};     // F1, percent; nothing if not scored
};

struct ChieSystem {
  std::string name, language;
  std::array<int64_t, judge::kAspects.size()> agreed{};  // how often the judge agrees, by aspect
  int64_t invalid = 0;                                   // replies without verdicts
  std::vector<ChieAnswer> answers = {};  // all judged answers, in the ledger's order
  std::optional<double> bertscore = {};  // mean F1, percent; nothing if not scored

  int64_t n() const { return std::ssize(answers); }
};

// A reply that the two parsers read differently.
struct ParserDisagreement {
  std::string system, language, id;
  std::optional<judge::Verdicts> published, strict;
};

struct ChieEvaluation {
  std::vector<ChieSystem> systems;  // in order of first appearance in the ledger
  std::vector<ParserDisagreement> disagreements;
  VerdictParser parser = VerdictParser::published;
};

// Counts the entries of a ledger in one `language` ("": all). Each answer counts once, by its last
// attempt. Throws InputError as last_attempts() does.
ChieEvaluation evaluate_chie(std::span<const judge::LedgerEntry> entries,
                             const std::string& language, VerdictParser parser,
                             const std::string& where);

// BERTScore.

// Sets each answer's BERTScore F1 and each system's mean, in percent, from JSON lines with id,
// system, language, candidate and scores.bertscore, as `score bertscore --input LEDGER` writes
// them. Throws InputError for an answer without a score, and for a score of another candidate.
void add_bertscores(std::vector<ChieSystem>& systems, const std::filesystem::path& file);

// Values that depend on words: F1, exact match and the mean length of answers.

struct ChieWords {
  double f1 = 0, em = 0;         // SQuAD's, over all answers, percent
  std::vector<int64_t> lengths;  // of each answer, in words
  double mean_length = 0;
};

struct ChieWordCounts {
  std::vector<ChieWords> systems;       // in the order of the argument
  std::vector<std::string> segmenters;  // the segmenters used, each once: "newmm-5.4.0"
};

// F1 and exact match use white-space tokens, or, in languages without blanks between words, a
// segmenter's words: newmm for Thai, jieba for Chinese, else ICU. Lengths, as in the authors' code,
// are jieba's words for Chinese, including blanks, and newmm's for every other language. Throws
// Error, naming the answer, when a segmenter fails.
ChieWordCounts measure_words(std::span<const ChieSystem> systems);

}  // namespace rubric::eval
