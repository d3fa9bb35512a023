// Numbers that say how the words of a candidate agree with those of its references. A network reads
// them beside LERC's score (metrics/neural/lerc_model.h): an encoder of 22M parameters does not see
// reliably that a long candidate contains a short reference. This is beyond Chen et
// al. (2020), whose LERC reads tokens alone.
#pragma once

#include <memory>
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
  // Where the value is 1, the score is the lowest, whatever the network says, which does not read
  // it.
  bool is_rule = false;
};

extern const List<AnswerFeature> kAnswerFeatures;

// Of all definitions, in the card of a model that reads features and in the key of token stores. A
// change of a definition raises it, and models of another version are refused: a new name for the
// changed feature leaves them as they are.
inline constexpr int64_t kFeaturesVersion = 10;

// Throws InputError, naming both and `where`, when a model was trained with features of another
// version.
void require_features_version(int64_t version, const std::string& where);

// The features of these names. Throws InputError, naming `where`, for one that is unknown or
// listed twice.
std::vector<const AnswerFeature*> require_features(std::span<const std::string> names,
                                                   const std::string& where);

// The question and the references of an answer, normalised once for several candidates.
class ComparedReferences {
 public:
  // Reads nothing where there are no features.
  ComparedReferences(const data::Answer& answer, std::span<const AnswerFeature* const> features);
  ~ComparedReferences();
  ComparedReferences(const ComparedReferences&) = delete;
  ComparedReferences& operator=(const ComparedReferences&) = delete;

  // Appends the value of each feature for a candidate. Texts are compared as
  // text::normalize_quantities() writes them, with all references; a reference of which that leaves
  // nothing ("A", "=") with its articles and punctuation, as the candidate is then. The nearest
  // reference is the one with the largest share of its words in the candidate, among equals the one
  // whose words cover most of the candidate, then the first of nearest_references(). Without
  // references every feature is 0 but candidate_length and question_words.
  void append_features(std::string_view candidate, std::vector<float>& values) const;

 private:
  struct Texts;
  std::span<const AnswerFeature* const> features_;
  std::unique_ptr<const Texts> texts_;
};

// The same for the answer's own candidate.
void append_features(const data::Answer& answer, std::span<const AnswerFeature* const> features,
                     std::vector<float>& values);

}  // namespace rubric::metrics
