// ROUGE (Lin 2004) as Google's package rouge-score computes it, which summarisation reports.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "metrics/answer_metric.h"

namespace rubric::metrics {

// F1 in [0, 1], the best of the references, of words of a-z and 0-9 in lower case; `stems` replaces
// those of more than three letters by their stems. ROUGE-n counts n-grams, each at most as often as
// in the other text. `references` must not be empty.
double google_rouge_n(std::span<const std::string> references, std::string_view candidate, size_t n,
                      bool stems);

// The same of the longest common subsequence.
double google_rouge_l(std::span<const std::string> references, std::string_view candidate,
                      bool stems);

// The same of the union of each reference sentence's common subsequences with all candidate
// sentences; a line is a sentence. Throws InputError for two sentences whose numbers of words
// multiply to more than 2^33.
double google_rouge_l_sum(std::span<const std::string> references, std::string_view candidate,
                          bool stems);

std::unique_ptr<AnswerMetric> make_google_rouge_1(const Settings& settings);
std::unique_ptr<AnswerMetric> make_google_rouge_2(const Settings& settings);
std::unique_ptr<AnswerMetric> make_google_rouge_l(const Settings& settings);
std::unique_ptr<AnswerMetric> make_google_rouge_l_sum(const Settings& settings);

inline constexpr Setting kStem = {
    .name = "stem",
    .type = Setting::Type::flag,
    .help = "compares the stems of English words (Porter's, as NLTK)"};
inline constexpr const Setting* kGoogleRougeSettings[] = {&kStem};

inline constexpr MetricKind kGoogleRouge1 = {
    .name = "rouge1",
    .summary = "ROUGE-1 F1 (Lin 2004), as Google's rouge-score computes it; --stem as its stemmer",
    .settings = kGoogleRougeSettings,
    .make = make_google_rouge_1,
    .reads_ascii_alone = true,
    .example = "score rouge1 --stem"};
inline constexpr MetricKind kGoogleRouge2 = {
    .name = "rouge2",
    .summary = "ROUGE-2 F1 (Lin 2004), as Google's rouge-score computes it",
    .settings = kGoogleRougeSettings,
    .make = make_google_rouge_2,
    .reads_ascii_alone = true,
    .example = "score rouge2"};
inline constexpr MetricKind kGoogleRougeL = {
    .name = "rougeL",
    .summary = "ROUGE-L F1 (Lin 2004), as Google's rouge-score computes it; rouge_l is MS-COCO's",
    .settings = kGoogleRougeSettings,
    .make = make_google_rouge_l,
    .reads_ascii_alone = true,
    .example = "score rougeL"};
inline constexpr MetricKind kGoogleRougeLSum = {
    .name = "rougeLsum",
    .summary = "ROUGE-L F1 over sentences, one a line, as Google's rouge-score computes it",
    .settings = kGoogleRougeSettings,
    .make = make_google_rouge_l_sum,
    .reads_ascii_alone = true,
    .example = "score rougeLsum"};

}  // namespace rubric::metrics
