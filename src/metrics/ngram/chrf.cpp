#include "metrics/ngram/chrf.h"

#include <algorithm>
#include <utility>

#include "core/text/utf8.h"
#include "metrics/answer_metric.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

constexpr uint32_t kRoot = 0;  // the parent of a single symbol; others are their number + 1

uint64_t child_key(uint32_t parent, uint32_t symbol) {
  return uint64_t{parent} << 32 | symbol;
}

std::vector<uint32_t> characters_of(std::string_view text) {
  std::vector<uint32_t> characters;
  characters.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const char32_t character = decode_utf8(text, i);
    if (!text::is_python_space(character)) characters.push_back(character);
  }
  return characters;
}

// "(hi)" is "(hi" and ")", as CHRF._remove_punctuation has it.
template <class Use>
void split_off_punctuation(std::string_view text, const Use& use) {
  constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  split_at_white_space(text, [&](std::string_view word) {
    size_t end = word.size();  // of the first part
    if (word.size() > 1 && kPunctuation.find(word.back()) != std::string_view::npos) {
      end = word.size() - 1;
    } else if (word.size() > 1 && kPunctuation.find(word.front()) != std::string_view::npos) {
      end = 1;
    }
    use(word.substr(0, end));
    if (end < word.size()) use(word.substr(end));
  });
}

}  // namespace

void NgramTree::read(std::span<const uint32_t> symbols, size_t orders) {
  // A long text may have few distinct n-grams, so the table grows with them.
  constexpr size_t kFirstRoom = 4096;
  ids_.reset(std::min(kFirstRoom, orders * symbols.size()));
  most_.clear();
  ngrams_.clear();
  for (size_t n = 1; n <= orders; ++n) {
    ngrams_.push_back(symbols.size() < n ? 0 : symbols.size() - n + 1);
  }
  for (size_t i = 0; i < symbols.size(); ++i) {
    uint32_t parent = kRoot;
    ids_.reserve(std::min(orders, symbols.size() - i));
    for (const uint32_t symbol : symbols.subspan(i, std::min(orders, symbols.size() - i))) {
      const uint32_t id = ids_.add(child_key(parent, symbol));
      if (id == most_.size()) most_.push_back(0);
      ++most_[id];
      parent = id + 1;
    }
  }
  found_.assign(most_.size(), 0);
}

void NgramTree::count(std::span<const uint32_t> symbols, std::vector<double>& counts) {
  const size_t orders = ngrams_.size();
  std::vector<size_t> matches(orders);
  std::vector<uint32_t> counted;
  for (size_t i = 0; i < symbols.size(); ++i) {
    uint32_t parent = kRoot;
    for (size_t n = 0; n < std::min(orders, symbols.size() - i); ++n) {
      const uint32_t id = ids_.find(child_key(parent, symbols[i + n]));
      if (id == kNoId) break;
      if (++found_[id] <= most_[id]) ++matches[n];
      counted.push_back(id);
      parent = id + 1;
    }
  }
  for (const uint32_t id : counted) found_[id] = 0;
  for (size_t n = 0; n < orders; ++n) {
    const size_t ngrams = symbols.size() <= n || ngrams_[n] == 0 ? 0 : symbols.size() - n;
    for (const size_t number : {ngrams, ngrams_[n], matches[n]}) {
      counts.push_back(static_cast<double>(number));
    }
  }
}

// CHRF._compute_f_score without eps_smoothing
double chrf_score(std::span<const double> counts) {
  constexpr double kBetaSquared = 4;
  double precision = 0, recall = 0, orders = 0;
  for (size_t i = 0; i < counts.size(); i += 3) {
    if (counts[i] == 0 || counts[i + 1] == 0) continue;
    precision += counts[i + 2] / counts[i];
    recall += counts[i + 2] / counts[i + 1];
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * ((1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall));
}

std::string Chrf::cased(std::string_view text) const {
  return lowercase_ ? text::lower_case(text) : std::string(text);
}

void Chrf::read(std::span<const std::string> references) {
  std::vector<std::string> texts;
  for (const std::string& reference : references) texts.push_back(cased(reference));
  words_.read(texts,
              [](std::string_view text, const auto& use) { split_off_punctuation(text, use); });
  references_.resize(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    references_[i].characters.read(characters_of(texts[i]), kCharacterOrders);
    references_[i].words.read(words_[i], word_orders_);
  }
  given_.assign(references.begin(), references.end());
}

std::vector<double> Chrf::count(std::span<const std::string> references,
                                std::string_view candidate) {
  if (!std::ranges::equal(references, given_)) read(references);
  const std::string text = cased(candidate);
  const std::vector<uint32_t> characters = characters_of(text);
  std::vector<uint32_t> words;
  split_off_punctuation(text, [&](std::string_view word) { words.push_back(words_.find(word)); });
  std::vector<double> best;
  double best_score = -1;
  for (Reference& reference : references_) {
    std::vector<double> counts;
    reference.characters.count(characters, counts);
    reference.words.count(words, counts);
    const double score = chrf_score(counts);
    if (score <= best_score) continue;
    best_score = score;
    best = std::move(counts);
  }
  return best;
}

std::unique_ptr<AnswerMetric> make_chrf(const Settings& settings) {
  const auto words = static_cast<size_t>(settings.integer(kWordOrder).value_or(0));
  const bool lowercase = settings.has(kLowercase);
  CorpusScore score;
  score.make_count = counter_maker<Chrf>(words, lowercase);
  score.of_row = score.of_corpus = chrf_score;
  return make_corpus_metric(kChrf.name, std::move(score),
                            std::string("|case:") + (lowercase ? "lc" : "mixed") +
                                "|eff:yes|nc:" + std::to_string(Chrf::kCharacterOrders) +
                                "|nw:" + std::to_string(words) + "|space:no");
}

}  // namespace rubric::metrics
