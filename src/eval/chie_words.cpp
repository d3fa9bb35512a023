#include "eval/chie_words.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "core/error.h"
#include "metrics/squad.h"
#include "text/segmenter.h"

namespace rubric {
namespace {

// What cuts texts for F1; nothing where words stand between blanks.
std::optional<Segmenter> f1_segmenter(std::string_view language) {
  const std::string_view base = language.substr(0, language.find('-'));
  if (base == "th") return Segmenter::newmm;
  if (base == "zh") return Segmenter::jieba;
  constexpr std::string_view kOthers[] = {"ja", "km", "lo", "my"};
  if (std::ranges::count(kOthers, base) > 0) return Segmenter::icu;
  return std::nullopt;
}

// The answers and references of all systems in a language, each once.
std::vector<std::string> distinct_texts(std::span<const ChieSystem> systems,
                                        const std::string& language) {
  std::set<std::string> texts;
  for (const ChieSystem& system : systems) {
    if (system.language != language) continue;
    for (const ChieAnswer& judged : system.answers) {
      const Answer& answer = judged.entry->answer;
      texts.insert(answer.candidate);
      texts.insert(answer.references.begin(), answer.references.end());
    }
  }
  return {texts.begin(), texts.end()};
}

using Words = std::map<std::string, std::vector<std::string>>;  // of each text

Words words_of(const std::vector<std::string>& texts, WordSegmenter& segmenter,
               const std::string& language, std::vector<std::string>& names) {
  if (std::ranges::count(names, segmenter.name()) == 0) names.push_back(segmenter.name());
  Words words;
  for (const std::string& text : texts) words[text] = segmenter.words(text, language);
  return words;
}

// An answer whose words stand between blanks.
Answer separated(const Answer& answer, const Words& words) {
  Answer result;
  result.candidate = join(words.at(answer.candidate), " ");
  for (const std::string& reference : answer.references) {
    result.references.push_back(join(words.at(reference), " "));
  }
  return result;
}

ChieWords measure(const ChieSystem& system, const Words& lengths, const Words* words) {
  ChieWords figures;
  for (const ChieAnswer& judged : system.answers) {
    const Answer& answer = judged.entry->answer;
    const Answer cut = words == nullptr ? answer : separated(answer, *words);
    figures.f1 += squad_f1(cut.references, cut.candidate);
    figures.em += squad_exact_match(cut.references, cut.candidate);
    figures.lengths.push_back(std::ssize(lengths.at(answer.candidate)));
    figures.mean_length += static_cast<double>(figures.lengths.back());
  }
  constexpr double kPercent = 100;
  const auto n = static_cast<double>(system.n());
  figures.f1 = kPercent * figures.f1 / n;
  figures.em = kPercent * figures.em / n;
  figures.mean_length /= n;
  return figures;
}

}  // namespace

ChieWordFigures measure_words(std::span<const ChieSystem> systems) {
  ChieWordFigures figures;
  figures.systems.resize(systems.size());
  std::map<Segmenter, WordSegmenter> segmenters;  // each started once for all languages
  const auto cut = [&](const std::vector<std::string>& texts, Segmenter segmenter,
                       const std::string& language) {
    WordSegmenter& words = segmenters.try_emplace(segmenter, segmenter).first->second;
    return words_of(texts, words, language, figures.segmenters);
  };
  std::set<std::string> languages;
  for (const ChieSystem& system : systems) languages.insert(system.language);
  for (const std::string& language : languages) {
    const std::vector<std::string> texts = distinct_texts(systems, language);
    const Words lengths = cut(texts, Segmenter::newmm, language);
    const std::optional<Segmenter> segmenter = f1_segmenter(language);
    Words other;
    if (segmenter && *segmenter != Segmenter::newmm) {
      other = cut(texts, *segmenter, language);
    }
    const Words* const words = !segmenter                       ? nullptr
                               : *segmenter == Segmenter::newmm ? &lengths
                                                                : &other;
    for (size_t i = 0; i < systems.size(); ++i) {
      if (systems[i].language == language) figures.systems[i] = measure(systems[i], lengths, words);
    }
  }
  return figures;
}

}  // namespace rubric
