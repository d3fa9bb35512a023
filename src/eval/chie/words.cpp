#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "core/json/json.h"
#include "eval/chie/chie.h"
#include "metrics/ngram/squad.h"
#include "text/word_segmenter.h"

namespace rubric::eval {
namespace {

// The segmenter for F1; nothing for languages with blanks between words.
std::optional<text::Segmenter> f1_segmenter(std::string_view language) {
  const std::string_view base = language.substr(0, language.find('-'));
  if (base == "th") return text::Segmenter::newmm;
  if (base == "zh") return text::Segmenter::jieba;
  constexpr std::string_view kOthers[] = {"ja", "km", "lo", "my"};
  if (std::ranges::count(kOthers, base) > 0) return text::Segmenter::icu;
  return std::nullopt;
}

// The segmenter for lengths.
text::Segmenter length_segmenter(std::string_view language) {
  return f1_segmenter(language) == text::Segmenter::jieba ? text::Segmenter::jieba
                                                          : text::Segmenter::newmm;
}

// Segments each text once, and starts each segmenter once.
class CachedSegmenter {
 public:
  const std::vector<std::string>& words(text::Segmenter segmenter, const std::string& language,
                                        const std::string& text) {
    const std::tuple key(segmenter, language, text);
    const auto found = words_.find(key);
    if (found != words_.end()) return found->second;
    text::WordSegmenter& process = segmenters_.try_emplace(segmenter, segmenter).first->second;
    return words_.emplace(key, process.words(text, language)).first->second;
  }
  std::vector<std::string> segmenters() const {
    std::vector<std::string> names;
    for (const auto& [segmenter, process] : segmenters_) {
      if (std::ranges::count(names, process.name()) == 0) names.push_back(process.name());
    }
    return names;
  }

 private:
  std::map<text::Segmenter, text::WordSegmenter> segmenters_;
  std::map<std::tuple<text::Segmenter, std::string, std::string>, std::vector<std::string>> words_;
};

// The answer with blanks between its words.
data::Answer separated(const data::Answer& answer, const std::string& language,
                       CachedSegmenter& cached) {
  const std::optional<text::Segmenter> segmenter = f1_segmenter(language);
  if (!segmenter) return answer;
  data::Answer result;
  result.candidate = join(cached.words(*segmenter, language, answer.candidate), " ");
  for (const std::string& reference : answer.references) {
    result.references.push_back(join(cached.words(*segmenter, language, reference), " "));
  }
  return result;
}

void add_answer(const data::Answer& answer, const std::string& language, CachedSegmenter& cached,
                ChieWords& statistics) {
  const data::Answer cut = separated(answer, language, cached);
  statistics.f1 += metrics::squad_f1(cut.references, cut.candidate);
  statistics.em += metrics::squad_exact_match(cut.references, cut.candidate);
  statistics.lengths.push_back(
      std::ssize(cached.words(length_segmenter(language), language, answer.candidate)));
  statistics.mean_length += static_cast<double>(statistics.lengths.back());
}

ChieWords measure(const ChieSystem& system, CachedSegmenter& cached) {
  ChieWords statistics;
  for (const ChieAnswer& judged : system.answers) {
    const data::Answer& answer = judged.entry->answer;
    try {
      add_answer(answer, system.language, cached, statistics);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      throw Error("no words of id " + json_quote(answer.id) + " of " + system.name + ": " +
                  error.what());
    }
  }
  const auto n = static_cast<double>(system.n());
  statistics.f1 /= n;
  statistics.em /= n;
  statistics.mean_length /= n;
  return statistics;
}

}  // namespace

ChieWordCounts measure_words(std::span<const ChieSystem> systems) {
  ChieWordCounts statistics;
  CachedSegmenter cached;
  for (const ChieSystem& system : systems) statistics.systems.push_back(measure(system, cached));
  statistics.segmenters = cached.segmenters();
  return statistics;
}

}  // namespace rubric::eval
