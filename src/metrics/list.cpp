#include "metrics/list.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/signals.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "core/version.h"
#include "metrics/meteor/meteor.h"
#include "metrics/ngram/bleu.h"
#include "metrics/ngram/rouge_l.h"
#include "metrics/ngram/squad.h"

namespace rubric::metrics {
namespace {

using Strings = std::span<const std::string>;
using SentenceScore = std::function<double(Strings references, std::string_view candidate)>;

// Removes the characters of `strip` from `text`.
std::string without(std::string_view text, std::string_view strip) {
  if (strip.empty()) return std::string(text);
  std::string kept;
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    decode_utf8(text, i);
    const std::string_view character = text.substr(start, i - start);
    if (strip.find(character) == std::string_view::npos) kept += character;
  }
  return kept;
}

bool is_emptied(std::string_view text, std::string_view strip) {
  return !trim(text).empty() && trim(without(text, strip)).empty();
}

// Prefetches records ahead of row i while it is scored: first the record, then the data it points
// to. An n-gram metric takes about as long for a row as a memory access.
void fetch_ahead(std::span<const data::Answer> answers, size_t i) {
  constexpr size_t kRecord = 8, kTexts = 4;
  if (i + kRecord >= answers.size()) return;
  __builtin_prefetch(&answers[i + kRecord].candidate);
  __builtin_prefetch(&answers[i + kRecord].references);
  __builtin_prefetch(answers[i + kTexts].candidate.data());
  __builtin_prefetch(answers[i + kTexts].references.data());
}

// A metric made from a score of one candidate.
class SentenceMetric : public Metric<data::Answer> {
 public:
  // `settings` is the metric's part of the signature: "|1.5|norm".
  SentenceMetric(std::string name, std::string settings, SentenceScore function,
                 LightMetricOptions options)
      : name_(std::move(name)),
        settings_(std::move(settings)),
        function_(std::move(function)),
        options_(std::move(options)) {}

  data::Scores score(std::span<const data::Answer> answers) override {
    data::Scores scores{{name_}, {}};
    scores.rows.reserve(answers.size());
    for (size_t i = 0; i < answers.size(); ++i) {
      end_if_stop_requested();
      fetch_ahead(answers, i);
      const data::Answer& answer = answers[i];
      try {
        scores.rows.push_back({score_one(answer)});
      } catch (const InputError& error) {
        throw InputError(error.what(), "record " + json_quote(answer.id));
      }
    }
    warn_of_emptied(answers, "candidates",
                    [](const data::Answer& answer) { return Strings(&answer.candidate, 1); });
    warn_of_emptied(answers, "references",
                    [](const data::Answer& answer) { return Strings(answer.references); });
    return scores;
  }

  std::string signature() const override {
    const std::string strip = options_.strip.empty() ? "" : "|strip:" + options_.strip;
    return name_ + settings_ + strip + "|rubric:" + version_with_build();
  }

 private:
  // Warns of records with texts that --strip empties.
  void warn_of_emptied(std::span<const data::Answer> answers, const std::string& what,
                       const std::function<Strings(const data::Answer&)>& texts_of) const {
    if (options_.strip.empty()) return;
    int64_t emptied = 0;
    std::vector<std::string> records;
    for (const data::Answer& answer : answers) {
      const Strings texts = texts_of(answer);
      const auto count = std::ranges::count_if(
          texts, [&](const std::string& text) { return is_emptied(text, options_.strip); });
      emptied += count;
      if (count > 0) records.push_back(json_quote(answer.id));
    }
    if (emptied == 0) return;
    log_warning(name_ + ": " + what + " of which --strip leaves nothing: " +
                std::to_string(emptied) + ", in records " + join_some(records));
  }

  double score_one(const data::Answer& answer) {
    if (answer.references.empty()) {
      throw InputError("no reference to score against", "",
                       "give every record at least one reference");
    }
    if (options_.strip.empty()) return function_(answer.references, answer.candidate);
    std::vector<std::string> references;
    for (const std::string& reference : answer.references) {
      references.push_back(without(reference, options_.strip));
    }
    return function_(references, without(answer.candidate, options_.strip));
  }

  std::string name_, settings_;
  SentenceScore function_;
  LightMetricOptions options_;
};

using Factory = std::function<std::unique_ptr<Metric<data::Answer>>(
    const std::string& name, const LightMetricOptions& options)>;

// Makes a metric of a scorer that caches data between rows.
template <class Scorer>
SentenceScore score_of(std::shared_ptr<Scorer> scorer) {
  return [scorer = std::move(scorer)](Strings references, std::string_view candidate) {
    return scorer->score(references, candidate);
  };
}

Factory bleu_of_order(int order) {
  return [order](const std::string& name, const LightMetricOptions& options) {
    const auto bleu = std::make_shared<Bleu>(order);
    return std::make_unique<SentenceMetric>(name, "", score_of(bleu), options);
  };
}

std::unique_ptr<Metric<data::Answer>> make_rouge_l(const std::string& name,
                                                   const LightMetricOptions& options) {
  const auto rouge_l = std::make_shared<RougeL>();
  return std::make_unique<SentenceMetric>(name, "", score_of(rouge_l), options);
}

// SQuAD's own normalisation replaces --strip.
Factory squad_metric(SentenceScore function) {
  return [function = std::move(function)](const std::string& name, const LightMetricOptions&) {
    return std::make_unique<SentenceMetric>(name, "", function, LightMetricOptions{});
  };
}

std::unique_ptr<Metric<data::Answer>> make_meteor(const std::string& name,
                                                  const LightMetricOptions& options) {
  const auto meteor = std::make_shared<Meteor>(meteor_folder());
  return std::make_unique<SentenceMetric>(name, "|" + meteor->settings(), score_of(meteor),
                                          options);
}

struct Entry {
  std::string name;
  Factory make;
};

// All light metrics: to add one, add a line here.
const std::vector<Entry>& table() {
  static const std::vector<Entry> kTable = {
      {"bleu1", bleu_of_order(1)},
      {"bleu2", bleu_of_order(2)},
      {"bleu3", bleu_of_order(3)},
      {"bleu4", bleu_of_order(4)},
      {"rouge_l", make_rouge_l},
      {"meteor", make_meteor},
      {"f1", squad_metric(squad_f1)},
      {"em", squad_metric(squad_exact_match)},
      {"recall", squad_metric(token_recall)},
      {"contains", squad_metric(contains_answer)},
  };
  return kTable;
}

}  // namespace

std::unique_ptr<Metric<data::Answer>> make_light_metric(const std::string& name,
                                                        const LightMetricOptions& options) {
  for (const Entry& entry : table()) {
    if (entry.name == name) return entry.make(name, options);
  }
  throw unknown_name("light metric", name, light_metric_names());
}

std::vector<std::string> light_metric_names() {
  std::vector<std::string> names;
  for (const Entry& entry : table()) names.push_back(entry.name);
  return names;
}

}  // namespace rubric::metrics
