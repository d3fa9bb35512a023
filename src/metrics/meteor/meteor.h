// METEOR 1.5 for English (Denkowski and Lavie 2014, "Meteor Universal"): the score of the Java
// program with `-l en -norm`, whose alignment weighs precision and recall of words that match
// exactly, by stem, by WordNet synset or as paraphrases, and how scattered they are.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/meteor/alignment.h"
#include "metrics/meteor/data.h"

namespace rubric::metrics {

class Meteor {
 public:
  // A folder as read_meteor_data() wants it; without a paraphrase table that module is left out.
  explicit Meteor(const std::filesystem::path& folder);

  // The best over the references, in [0, 1]; 0 for a text without words. `references` must not be
  // empty. Throws InputError, without a place, for texts too long and repetitive to be aligned.
  // References are read anew only where they are not those of the call before: rows of several
  // systems that answered the same question follow one another.
  double score(std::span<const std::string> references, std::string_view candidate);

  // "1.5|norm|modules:exact,stem,synonym,paraphrase|data:1a2b3c4d"
  std::string settings() const;

 private:
  MeteorData data_;
  MeteorLexicon lexicon_;
  MeteorMatcher matcher_;
  MeteorAligner aligner_;
  MeteorMatches matches_;
  MeteorSentence candidate_;
  std::vector<std::string> reference_texts_;  // of the last call
  std::vector<MeteorSentence> references_;    // the same
};

}  // namespace rubric::metrics
