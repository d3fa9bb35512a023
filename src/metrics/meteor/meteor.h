// METEOR 1.5 for English (Denkowski and Lavie 2014, "Meteor Universal"): the score of the Java
// program with `-l en -norm`. It combines precision and recall of words that match exactly, by
// stem, by WordNet synset or as paraphrases, and penalises fragmentation.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/answer_metric.h"
#include "metrics/meteor/alignment.h"
#include "metrics/meteor/data.h"

namespace rubric::metrics {

class Meteor {
 public:
  // Without a paraphrase table the paraphrase module is left out.
  explicit Meteor(std::shared_ptr<const MeteorData> data);

  // The maximum over the references, in [0, 1]; 0 for a text without words. `references` must not
  // be empty. Throws InputError, without a place, for texts too long and repetitive to align.
  // Caches the references of the last call, because consecutive rows are often several systems'
  // answers to one question.
  double score(std::span<const std::string> references, std::string_view candidate);

 private:
  std::shared_ptr<const MeteorData> data_;
  MeteorLexicon lexicon_;
  MeteorMatcher matcher_;
  MeteorAligner aligner_;
  MeteorMatches matches_;
  MeteorSentence candidate_;
  std::vector<std::string> reference_texts_;  // of the last call
  std::vector<MeteorSentence> references_;    // the same
};

// "1.5|case:lc|tok:norm|modules:exact,stem,synonym,paraphrase|data:1a2b3c4d"
std::string meteor_settings(const MeteorData& data);

// Throws InputError when METEOR's data is missing.
std::unique_ptr<AnswerMetric> make_meteor(const Settings& settings);
std::vector<std::filesystem::path> files_of_meteor();  // of meteor_directory()

inline constexpr MetricKind kMeteor = {
    .name = "meteor",
    .summary = "METEOR 1.5 for English (Denkowski and Lavie 2014), as the Java program computes it",
    .settings = kNgramSettings,
    .make = make_meteor,
    .files = files_of_meteor,
    .example = "score meteor"};

}  // namespace rubric::metrics
