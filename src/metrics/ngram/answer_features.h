// Numbers that say how the words of a candidate agree with those of its references. A network reads
// them beside LERC's score (metrics/neural/lerc_model.h): an encoder of 22M parameters does not see
// reliably that a long candidate contains a short reference. This is beyond Chen et
// al. (2020), whose LERC reads tokens alone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/list.h"
#include "data/records.h"

namespace rubric::metrics {

struct ComparedAnswer;  // the texts of an answer, normalised and divided into words

struct AnswerFeature {
  std::string_view name;  // in a configuration and in a model's card
  std::string_view summary;
  double (*value)(const ComparedAnswer& answer);  // in [0, 1]
};

extern const List<AnswerFeature> kAnswerFeatures;

// A definition is frozen once a model that reads it is shipped: a changed one is a new name. Until
// then a change raises this number, which is in the key of token stores.
inline constexpr int kFeaturesVersion = 2;

// The features of these names. Throws InputError, naming `where`, for one that is unknown or
// listed twice.
std::vector<const AnswerFeature*> require_features(std::span<const std::string> names,
                                                   const std::string& where);

// Appends the value of each feature. Texts are compared as SQuAD's script normalises them, with
// all references; an answer without references has 0 everywhere but in what counts the candidate's
// words.
void append_features(const data::Answer& answer, std::span<const AnswerFeature* const> features,
                     std::vector<float>& values);

}  // namespace rubric::metrics
