#include "metrics/neural/lerc_explanation.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {

std::string without_word(std::string_view text, std::span<const std::string_view> words, size_t i) {
  const auto begin_of = [&](size_t word) {
    return static_cast<size_t>(words[word].data() - text.data());
  };
  const auto end_of = [&](size_t word) { return begin_of(word) + words[word].size(); };
  const bool is_last = i + 1 == words.size();
  const size_t begin = is_last && i > 0 ? end_of(i - 1) : begin_of(i);
  const size_t end = is_last ? end_of(i) : begin_of(i + 1);
  return std::string(text.substr(0, begin)) + std::string(text.substr(end));
}

std::string with_another_word(std::string_view text, std::string_view word,
                              std::string_view other) {
  const auto begin = static_cast<size_t>(word.data() - text.data());
  return std::string(text.substr(0, begin)) + std::string(other) +
         std::string(text.substr(begin + word.size()));
}

Json explanation(const std::string& reference, const ExplainedRow& row,
                 std::span<const AnswerFeature* const> features,
                 std::span<const ExplainedWord> words) {
  Json json;
  json["reference"] = reference;
  if (!features.empty()) {
    json["encoder"] = row.encoder;
    Json values{Json::Object()};
    for (size_t i = 0; i < features.size(); ++i) {
      values[std::string(features[i]->name)] = static_cast<double>(row.features[i]);
    }
    json["features"] = std::move(values);
  }
  const int64_t cut = std::ranges::count(words, false, &ExplainedWord::is_encoded);
  if (cut > 0) json["cut"] = cut;
  Json::Array differences;
  for (const ExplainedWord& word : words) {
    differences.emplace_back(Json::Array{
        std::string(word.word), word.is_read ? Json(row.score - word.score_without) : Json()});
  }
  json["words"] = std::move(differences);
  return json;
}

}  // namespace rubric::metrics
