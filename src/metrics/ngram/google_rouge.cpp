#include "metrics/ngram/google_rouge.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/context.h"
#include "core/error.h"
#include "metrics/ngram/chrf.h"
#include "metrics/ngram/porter_stemmer.h"
#include "metrics/ngram/words.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

using Tokens = std::vector<std::string>;

Tokens tokens_of(std::string_view text, bool stems) {
  constexpr size_t kLongestUnstemmed = 3;
  Tokens words;
  bool in_word = false;
  for (const char c : text::lower_case(text)) {
    const bool is_of_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_of_word && !in_word) words.emplace_back();
    if (is_of_word) words.back() += c;
    in_word = is_of_word;
  }
  if (stems) {
    for (std::string& word : words) {
      if (word.size() > kLongestUnstemmed) word = porter_stem(word);
    }
  }
  return words;
}

double f1(double common, double candidate, double reference) {
  if (common == 0) return 0;
  const double precision = common / candidate, recall = common / reference;
  return 2 * precision * recall / (precision + recall);
}

// Which way each cell of the table of subsequences takes back to its start, of the words that
// differ there: one bit a cell.
struct Directions {
  size_t columns = 0;
  std::vector<bool> is_left;

  bool goes_left(size_t i, size_t j) const { return is_left[i * columns + j]; }
};

// The length of the longest common subsequence. Keeps two rows of the table: of its first i words
// of a and first j of b. Fills `directions`, unless null.
size_t common_subsequence(const Tokens& a, const Tokens& b, Directions* directions = nullptr) {
  IdMap<std::string_view> words;
  words.reset(a.size() + b.size());
  std::vector<uint32_t> b_numbers, above(b.size() + 1), row(b.size() + 1);
  for (const std::string& word : b) b_numbers.push_back(words.add(word));
  for (size_t i = 0; i < a.size(); ++i) {
    end_if_stop_requested();
    const uint32_t number = words.add(a[i]);
    for (size_t j = 0; j < b.size(); ++j) {
      const bool is_left = row[j] > above[j + 1];
      const uint32_t longer = is_left ? row[j] : above[j + 1];
      row[j + 1] = number == b_numbers[j] ? above[j] + 1 : longer;
      if (directions != nullptr) directions->is_left[i * b.size() + j] = is_left;
    }
    std::swap(above, row);
  }
  return above.back();
}

// Throws InputError above 2^33 cells, whose directions take 1 GiB.
void require_cells(const Tokens& reference, const Tokens& candidate) {
  constexpr size_t kMostCells = size_t{1} << 33;
  if (candidate.empty() || reference.size() <= kMostCells / candidate.size()) return;
  throw InputError("a sentence of " + std::to_string(reference.size()) +
                       " words is too long to compare with one of " +
                       std::to_string(candidate.size()),
                   "",
                   "rougeLsum reads a line as a sentence: break the text into lines, or score "
                   "rougeL, which has no bound");
}

// Marks the words of `reference` in its common subsequence with `candidate`: of several the one
// that rouge-score's _backtrack_norec finds.
void mark_common(const Tokens& reference, const Tokens& candidate, std::vector<bool>& marked) {
  require_cells(reference, candidate);
  Directions directions{candidate.size(), std::vector<bool>(reference.size() * candidate.size())};
  common_subsequence(reference, candidate, &directions);
  size_t i = reference.size(), j = candidate.size();
  while (i > 0 && j > 0) {
    if (reference[i - 1] == candidate[j - 1]) {
      marked[i - 1] = true;
      --i;
      --j;
    } else if (directions.goes_left(i - 1, j - 1)) {
      --j;
    } else {
      --i;
    }
  }
}

std::vector<Tokens> sentences_of(std::string_view text, bool stems) {
  std::vector<Tokens> sentences;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) sentences.push_back(tokens_of(text.substr(begin, end - begin), stems));
    begin = end + 1;
  }
  return sentences;
}

// How often each word is in the sentences, and how many words these have.
struct Vocabulary {
  explicit Vocabulary(const std::vector<Tokens>& sentences) {
    for (const Tokens& sentence : sentences) {
      for (const std::string& word : sentence) ++counts[word];
      size += sentence.size();
    }
  }
  std::unordered_map<std::string, size_t> counts;
  size_t size = 0;
};

double of_summaries(const std::vector<Tokens>& reference, const std::vector<Tokens>& candidate) {
  Vocabulary wanted(reference), given(candidate);
  size_t hits = 0;
  for (const Tokens& sentence : reference) {
    std::vector<bool> marked(sentence.size());
    for (const Tokens& other : candidate) mark_common(sentence, other, marked);
    for (size_t i = 0; i < sentence.size(); ++i) {
      if (!marked[i]) continue;
      size_t& left = wanted.counts[sentence[i]];
      size_t& left_given = given.counts[sentence[i]];
      if (left == 0 || left_given == 0) continue;
      --left;
      --left_given;
      ++hits;
    }
  }
  return f1(static_cast<double>(hits), static_cast<double>(given.size),
            static_cast<double>(wanted.size));
}

template <class Score>
double best_of(std::span<const std::string> references, const Score& score) {
  double best = 0;
  for (const std::string& reference : references) best = std::max(best, score(reference));
  return best;
}

std::unique_ptr<AnswerMetric> make(const MetricKind& kind, const Settings& settings,
                                   const SentenceScore& score) {
  const std::string stem = settings.has(kStem) ? "porter" : "no";
  return make_sentence_metric(
      kind.name, [score] { return score; }, {}, "|case:lc|tok:google|stem:" + stem);
}

}  // namespace

double google_rouge_n(std::span<const std::string> references, std::string_view candidate, size_t n,
                      bool stems) {
  const Tokens given = tokens_of(candidate, stems);
  return best_of(references, [&](const std::string& reference) {
    const Tokens wanted = tokens_of(reference, stems);
    IdMap<std::string_view> words;
    words.reset(wanted.size() + given.size());
    const auto numbers_of = [&](const Tokens& tokens) {
      std::vector<uint32_t> numbers;
      for (const std::string& word : tokens) numbers.push_back(words.add(word));
      return numbers;
    };
    NgramTree ngrams;
    ngrams.read(numbers_of(wanted), n);
    std::vector<double> counts;  // of each order up to n
    ngrams.count(numbers_of(given), counts);
    const auto last = counts.end() - 3;
    return f1(last[2], last[0], last[1]);
  });
}

double google_rouge_l(std::span<const std::string> references, std::string_view candidate,
                      bool stems) {
  const Tokens given = tokens_of(candidate, stems);
  return best_of(references, [&](const std::string& reference) {
    const Tokens wanted = tokens_of(reference, stems);
    return f1(static_cast<double>(common_subsequence(wanted, given)),
              static_cast<double>(given.size()), static_cast<double>(wanted.size()));
  });
}

double google_rouge_l_sum(std::span<const std::string> references, std::string_view candidate,
                          bool stems) {
  const std::vector<Tokens> given = sentences_of(candidate, stems);
  return best_of(references, [&](const std::string& reference) {
    return of_summaries(sentences_of(reference, stems), given);
  });
}

std::unique_ptr<AnswerMetric> make_google_rouge_1(const Settings& settings) {
  return make(kGoogleRouge1, settings,
              [stems = settings.has(kStem)](auto references, auto candidate) {
                return google_rouge_n(references, candidate, 1, stems);
              });
}

std::unique_ptr<AnswerMetric> make_google_rouge_2(const Settings& settings) {
  return make(kGoogleRouge2, settings,
              [stems = settings.has(kStem)](auto references, auto candidate) {
                return google_rouge_n(references, candidate, 2, stems);
              });
}

std::unique_ptr<AnswerMetric> make_google_rouge_l(const Settings& settings) {
  return make(kGoogleRougeL, settings,
              [stems = settings.has(kStem)](auto references, auto candidate) {
                return google_rouge_l(references, candidate, stems);
              });
}

std::unique_ptr<AnswerMetric> make_google_rouge_l_sum(const Settings& settings) {
  return make(kGoogleRougeLSum, settings,
              [stems = settings.has(kStem)](auto references, auto candidate) {
                return google_rouge_l_sum(references, candidate, stems);
              });
}

}  // namespace rubric::metrics
