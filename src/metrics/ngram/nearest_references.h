// The order in which a learned metric reads the references of an answer. Each costs a pass of the
// model, and a question may have dozens of names for one answer.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/records.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::metrics {

using WordCounts = std::map<std::string, int>;  // words, and how often each is there

struct ComparedWords {
  WordCounts in_digits, as_written;
};

// References whose words are known, for several candidates.
class ReferenceOrder {
 public:
  explicit ReferenceOrder(std::span<const std::string> references);

  // The indices of the references, the nearest to the candidate first: those with the largest share
  // of their words in the candidate, among equals those that cover most of the candidate. Zero to
  // twelve count as digits; where that leaves references equal, they are compared without it, then
  // stay in their own order. A word is a run of ASCII letters (lower-cased), digits and bytes above
  // 127. Of references with the same text::normalize_numbers() and the same
  // text::normalize_quantities(), the nearest is here: "3.14" and "314" are two.
  std::vector<size_t> nearest(std::string_view candidate) const;

 private:
  struct Reference {
    ComparedWords words;
    std::string normalised;
  };
  std::vector<Reference> references_;
};

// The same for the one candidate of an answer.
std::vector<size_t> nearest_references(const data::Answer& answer);

// The references of an answer that a model reads, each in a row of its own: the kMostReferences
// nearest ones that are not too long, or the nearest ones where all are. Without the input
// `reference` that is the first one.
struct ReadReferences {
  std::vector<size_t> indices;
  std::vector<data::AnswerEncoder::Fields> fields;  // the tokens of each
  int64_t too_long = 0;                             // left out, as another fits
  bool are_more = false;                            // than are read
};
inline constexpr size_t kMostReferences = 8;  // each costs a pass
ReadReferences read_references(const data::Answer& answer, data::AnswerEncoder& encoder);

// The references of all answers that are left out, for one warning.
struct LongReferences {
  int64_t count = 0;
  std::vector<std::string> records;  // that have some

  void add(const ReadReferences& read, const data::Answer& answer);
  void warn() const;
};

}  // namespace rubric::metrics
