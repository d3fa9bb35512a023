// Several answers in one text: "a/b/c".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rubric::data {

// The texts between the separators, trimmed, without empty ones; a text without another is itself:
// "a / b /" by "/" is ["a", "b"].
std::vector<std::string> split_reference(const std::string& text, const std::string& separator);

// The same of each text of a list.
std::vector<std::string> split_references(const std::vector<std::string>& texts,
                                          const std::string& separator);

// Counts the answers whose only reference holds what usually separates several, between other texts
// than numbers (3/4, 12/25/2020).
class SeparatorCounts {
 public:
  void note(std::span<const std::string> references);  // of an answer

  // Warns when most answers hold the same one.
  void warn() const;

 private:
  static constexpr std::array kSeparators = {"|||", "||", "|",     "/",     ";",
                                             "\n",  "\t", "<sep>", "[SEP]", "###"};
  std::array<int64_t, kSeparators.size()> counts_ = {};
  std::array<std::string, kSeparators.size()> examples_;
  int64_t answers_ = 0;
};

}  // namespace rubric::data
