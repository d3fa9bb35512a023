// Metrics of one candidate and its references, made from a function or from a scorer that keeps
// data between rows.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "metrics/kind.h"

namespace rubric::metrics {

// A score in [0, 1]; `references` is not empty.
using SentenceScore =
    std::function<double(std::span<const std::string> references, std::string_view candidate)>;

// Removed from references and candidate before an n-gram metric compares them ("?.!" in the MOCHA
// paper's baselines). A warning counts texts of which nothing is left.
inline constexpr Setting kStrip = {
    .name = "strip",
    .type = Setting::Type::text,
    .value_name = "CHARACTERS",
    .help = "removed from references and candidates before they are compared"};
inline constexpr const Setting* kNgramSettings[] = {&kStrip};

// A metric called `name` with one score of that name. `signature` is its part of the signature:
// "|1.5|norm". Scoring throws InputError for a record without reference.
std::unique_ptr<AnswerMetric> make_sentence_metric(std::string_view name, SentenceScore score,
                                                   const Settings& settings = {},
                                                   const std::string& signature = "");

// Calls `use` with each answer. Throws InputError with the record's name for one without reference
// and where `use` throws it; Interrupted when asked to stop.
void for_each_answer(std::span<const data::Answer> answers,
                     const std::function<void(const data::Answer&)>& use);

// The score of a scorer that reuses its memory from row to row.
template <class Scorer, class... Arguments>
SentenceScore score_of(Arguments&&... arguments) {
  const auto scorer = std::make_shared<Scorer>(std::forward<Arguments>(arguments)...);
  return [scorer](std::span<const std::string> references, std::string_view candidate) {
    return scorer->score(references, candidate);
  };
}

}  // namespace rubric::metrics
