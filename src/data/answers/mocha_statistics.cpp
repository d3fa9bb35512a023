#include "data/answers/mocha_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "text/wordpiece/wordpiece.h"

namespace rubric::data {
namespace {

void count(const std::optional<double>& score, ScoreCounts& counts) {
  if (!score) return;
  const auto bin = static_cast<size_t>(std::clamp(std::floor(*score + 0.5), 1.0, 5.0)) - 1;
  ++counts[bin];
}

struct Gathered {
  ConstituentStatistics statistics;
  std::map<std::string, int64_t> passages;  // text and number of words
  std::set<std::tuple<std::string, std::string, std::string>> questions;
  int64_t passage_words = 0, question_words = 0, reference_words = 0, candidate_words = 0;
};

void add(const Answer& answer, Gathered& gathered) {
  ConstituentStatistics& statistics = gathered.statistics;
  const std::string& reference = answer.references.front();
  if (!answer.passage.empty()) {
    const auto [passage, is_new] = gathered.passages.emplace(answer.passage, 0);
    if (is_new) passage->second = word_count(answer.passage);
    gathered.passage_words += passage->second;
  }
  gathered.questions.emplace(answer.passage, answer.question, reference);
  gathered.question_words += word_count(answer.question);
  gathered.reference_words += word_count(reference);
  gathered.candidate_words += word_count(answer.candidate);
  ++statistics.candidates;
  statistics.unscored += answer.score ? 0 : 1;
  count(answer.score, statistics.scores);
  if (answer.source.empty()) return;
  auto& sources = statistics.sources;
  auto source = std::find_if(sources.begin(), sources.end(),
                             [&](const auto& known) { return known.first == answer.source; });
  if (source == sources.end()) source = sources.insert(source, {answer.source, {}});
  ++source->second.candidates;
  count(answer.score, source->second.scores);
}

ConstituentStatistics summed_up(Gathered gathered) {
  ConstituentStatistics statistics = std::move(gathered.statistics);
  const auto mean = [&](int64_t words) {
    return static_cast<double>(words) / static_cast<double>(statistics.candidates);
  };
  statistics.passages = std::ssize(gathered.passages);
  statistics.questions = std::ssize(gathered.questions);
  statistics.passage_length = mean(gathered.passage_words);
  statistics.question_length = mean(gathered.question_words);
  statistics.reference_length = mean(gathered.reference_words);
  statistics.candidate_length = mean(gathered.candidate_words);
  return statistics;
}

}  // namespace

std::vector<ConstituentStatistics> mocha_statistics(std::span<const Answer> answers) {
  std::vector<Gathered> constituents;
  std::map<std::string, size_t> index;
  for (const Answer& answer : answers) {
    const auto [entry, is_new] = index.emplace(answer.constituent, constituents.size());
    if (is_new) {
      constituents.emplace_back();
      constituents.back().statistics.name = answer.constituent;
    }
    add(answer, constituents[entry->second]);
  }
  std::vector<ConstituentStatistics> statistics;
  for (Gathered& gathered : constituents) statistics.push_back(summed_up(std::move(gathered)));
  return statistics;
}

int64_t word_count(const std::string& text) {
  std::string normalized;
  text::bert_normalize(text, {.lowercase = false, .strip_accents = false}, normalized);
  int64_t words = 0;
  std::string_view word;
  for (size_t position = 0; text::next_word(normalized, position, word);) ++words;
  return words;
}

}  // namespace rubric::data
