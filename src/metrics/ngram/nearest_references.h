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

namespace rubric::metrics {

// References whose words are known, for several candidates.
class ReferenceOrder {
 public:
  explicit ReferenceOrder(std::span<const std::string> references);

  // The indices of the references, the nearest to the candidate first: those with the largest share
  // of their words in the candidate, among equals those that cover most of the candidate, then in
  // their own order. A word is a run of ASCII letters (lower-cased), digits and bytes above 127. Of
  // references that are equal once normalised as SQuAD's script does it, the nearest is here.
  std::vector<size_t> nearest(std::string_view candidate) const;

  const std::string& normalised(size_t reference) const { return normalised_[reference]; }

 private:
  std::vector<std::map<std::string, int>> words_;  // of each reference, and their counts
  std::vector<std::string> normalised_;
};

// The same for the one candidate of an answer.
std::vector<size_t> nearest_references(const data::Answer& answer);

}  // namespace rubric::metrics
