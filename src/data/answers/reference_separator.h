// Several answers in one text: "a/b/c".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/records.h"

namespace rubric::data {

// The texts between the separators, trimmed, without empty ones; a text without another is itself:
// "a / b /" by "/" is ["a", "b"].
std::vector<std::string> split_reference(const std::string& text, const std::string& separator);

// Reads several references in one text of each answer, or counts the answers whose only reference
// holds what usually separates several, between other texts than numbers (3/4, 12/25/2020).
class ReferenceSeparator {
 public:
  explicit ReferenceSeparator(std::string separator = "") : separator_(std::move(separator)) {}

  // Splits each reference of the answer or, without a separator, counts the answer.
  void read(Answer& answer);
  void count(const Answer& answer);

  // Warns when most answers hold the same separator.
  void warn() const;

  // "|refsep:/" for the signatures of scores, or "" without a separator.
  std::string signature() const;

 private:
  std::string separator_;
  static constexpr std::array kSeparators = {"|||", "||", "|",     "/",     ";",
                                             "\n",  "\t", "<sep>", "[SEP]", "###"};
  std::array<int64_t, kSeparators.size()> counts_ = {};
  std::array<std::string, kSeparators.size()> examples_;
  int64_t answers_ = 0;
};

}  // namespace rubric::data
