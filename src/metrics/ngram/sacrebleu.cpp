#include "metrics/ngram/sacrebleu.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "metrics/answer_metric.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

constexpr size_t kOrders = BleuCounts::kMostWords;
constexpr double kFloor = 0.1, kAdded = 1;  // sacreBLEU's defaults of floor and add-k

double log_or_least(double value) {
  return value == 0 ? -9999999999. : std::log(value);  // my_log
}

std::string signature_of(Smoothing smoothing) {
  const std::string name(kSmoothings[static_cast<size_t>(smoothing)]);
  if (smoothing == Smoothing::floor) return name + "[0.10]";
  return smoothing == Smoothing::add_k ? name + "[1.00]" : name;
}

// The place of a setting's value among its choices; 0, the default, where it is not set.
size_t choice_of(const Settings& settings, const Setting& setting) {
  if (!settings.has(setting)) return 0;
  return static_cast<size_t>(std::ranges::find(setting.choices, settings.text(setting)) -
                             setting.choices.begin());
}

}  // namespace

// BLEU.compute_bleu
double sacrebleu_score(std::span<const double> counts, Smoothing smoothing, bool to_longest) {
  const double candidate = counts[0], reference = counts[1];
  const std::span<const double> matches = counts.subspan(2, kOrders),
                                ngrams = counts.subspan(2 + kOrders, kOrders);
  if (std::ranges::all_of(matches, [](double count) { return count == 0; })) return 0;
  const double brevity = candidate < reference ? std::exp(1 - reference / candidate) : 1;
  std::array<double, kOrders> precisions = {};
  size_t orders = kOrders;
  double halving = 1;
  for (size_t i = 0; i < kOrders; ++i) {
    const double added = smoothing == Smoothing::add_k && i > 0 ? kAdded : 0;
    const double matched = matches[i] + added, of = ngrams[i] + added;
    if (of == 0) break;
    if (to_longest) orders = i + 1;
    if (matched > 0) {
      precisions[i] = 100 * matched / of;
    } else if (smoothing == Smoothing::exp) {
      halving *= 2;
      precisions[i] = 100 / (halving * of);
    } else if (smoothing == Smoothing::floor) {
      precisions[i] = 100 * kFloor / of;
    }
  }
  double sum = 0;
  for (size_t i = 0; i < orders; ++i) sum += log_or_least(precisions[i]);
  return brevity * std::exp(sum / static_cast<double>(orders));
}

std::string SacreBleu::tokens_of(std::string_view text) const {
  if (!lowercase_) return tokenize_(text::strip_end(text));
  const std::string lower = text::lower_case(text);
  return tokenize_(text::strip_end(lower));
}

std::vector<double> SacreBleu::count(std::span<const std::string> references,
                                     std::string_view candidate) {
  if (!std::ranges::equal(references, references_)) {
    tokens_.clear();
    for (const std::string& reference : references) tokens_.push_back(tokens_of(reference));
    references_.assign(references.begin(), references.end());
  }
  const BleuCounts counts = counter_.count(tokens_, tokens_of(candidate));
  std::vector<double> numbers = {static_cast<double>(counts.candidate),
                                 static_cast<double>(counts.reference)};
  for (const size_t matches : counts.matches) numbers.push_back(static_cast<double>(matches));
  for (const size_t ngrams : counts.ngrams) numbers.push_back(static_cast<double>(ngrams));
  return numbers;
}

std::unique_ptr<AnswerMetric> make_sacrebleu(const Settings& settings) {
  const SacreBleuTokenizer& tokenizer = kSacreBleuTokenizers[choice_of(settings, kTokenize)];
  const auto smoothing = static_cast<Smoothing>(choice_of(settings, kSmooth));
  const bool lowercase = settings.has(kLowercase);
  CorpusScore score;
  score.make_count = counter_maker<SacreBleu>(tokenizer.tokenize, lowercase);
  score.of_row = [smoothing](std::span<const double> counts) {
    return sacrebleu_score(counts, smoothing, /*to_longest=*/true);
  };
  score.of_corpus = [smoothing](std::span<const double> counts) {
    return sacrebleu_score(counts, smoothing, /*to_longest=*/false);
  };
  return make_corpus_metric(kSacreBleu.name, std::move(score),
                            std::string("|case:") + (lowercase ? "lc" : "mixed") + "|eff:no|tok:" +
                                std::string(tokenizer.name) + "|smooth:" + signature_of(smoothing));
}

}  // namespace rubric::metrics
