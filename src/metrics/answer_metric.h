// Metrics of one candidate and its references: by the mean of the rows' scores, made from a
// function or from a scorer that keeps data between rows; or by counts that add up over the rows.
// They score on all cores.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/kind.h"

namespace rubric::metrics {

// A score in [0, 1]; `references` is not empty.
using SentenceScore =
    std::function<double(std::span<const std::string> references, std::string_view candidate)>;
// Makes a score function; each is called by one thread at a time.
using MakeSentenceScore = std::function<SentenceScore()>;

// Removed from references and candidate before an n-gram metric compares them ("?.!" in the MOCHA
// paper's baselines). A warning counts the texts that are empty then.
inline constexpr Setting kStrip = {
    .name = "strip",
    .type = Setting::Type::text,
    .value_name = "CHARACTERS",
    .help = "removed from references and candidates before they are compared"};
inline constexpr const Setting* kNgramSettings[] = {&kStrip};

// A metric called `name` with one score of that name. `signature` is its part of the signature:
// "|1.5|norm". Scoring throws InputError for a record without reference.
std::unique_ptr<AnswerMetric> make_sentence_metric(std::string_view name, MakeSentenceScore make,
                                                   const Settings& settings = {},
                                                   const std::string& signature = "");

// Of Scorer(arguments...).score(references, candidate), which may keep memory between rows.
template <class Scorer, class... Arguments>
MakeSentenceScore scorer_maker(const Arguments&... arguments) {
  return [=] {
    const auto scorer = std::make_shared<Scorer>(arguments...);
    return [scorer](std::span<const std::string> references, std::string_view candidate) {
      return scorer->score(references, candidate);
    };
  };
}

// Metrics whose score of a file is not the mean of its rows' scores: both come from counts.

// The counts of one candidate, the same number for each; `references` is not empty.
using SentenceCounts = std::function<std::vector<double>(std::span<const std::string> references,
                                                         std::string_view candidate)>;

struct CorpusScore {
  std::function<SentenceCounts()> make_count;  // each is called by one thread at a time
  std::function<double(std::span<const double> counts)> of_row, of_corpus;  // by several at once
};

// Of Scorer(arguments...).count(references, candidate), which may keep memory between rows.
template <class Scorer, class... Arguments>
std::function<SentenceCounts()> counter_maker(const Arguments&... arguments) {
  return [=] {
    const auto scorer = std::make_shared<Scorer>(arguments...);
    return [scorer](std::span<const std::string> references, std::string_view candidate) {
      return scorer->count(references, candidate);
    };
  };
}

// A metric called `name` with one score of that name. `signature` is its part of sacreBLEU's
// signature, "|case:mixed|eff:no"; the number of references, which that begins with, is added.
// Scoring throws InputError for a record without reference.
std::unique_ptr<AnswerMetric> make_corpus_metric(std::string_view name, CorpusScore score,
                                                 const std::string& signature);

}  // namespace rubric::metrics
