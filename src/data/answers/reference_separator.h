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
// holds what usually separates several (but 3/4, 12/25/2020), or is a list written as a text.
class ReferenceSeparator {
 public:
  // Of a command line: "\\n" and "\\t" are a line feed and a tab. warn() names `option`.
  explicit ReferenceSeparator(std::string separator = "",
                              std::string option = "--reference-separator ")
      : option_(std::move(option)),
        separator_(separator == "\\n"   ? "\n"
                   : separator == "\\t" ? "\t"
                                        : separator) {}

  // Splits each reference of the answer or, without a separator, counts the answer.
  void read(Answer& answer);
  void count(const Answer& answer);

  // Warns when most answers hold the same separator, or a fifth of them one that is rare in texts,
  // when some look like lists, and when the separator that is given is in none.
  void warn() const;

  // "|refsep:/" for the signatures of scores, or "" without a separator (signature_text).
  std::string signature() const;

 private:
  std::string option_, separator_;
  // The first kRare are rare inside of an answer.
  static constexpr std::array kSeparators = {"|||", "||", "|",     "</s>",  " / ",  "/",    "／",
                                             ";",   "；", "<sep>", "[SEP]", "###",  "\n",   "\t",
                                             "~",   "、", "&",     "•",     " or ", " OR ", ","};
  static constexpr size_t kRare = 12;
  std::array<int64_t, kSeparators.size()> counts_ = {};
  std::array<std::string, kSeparators.size()> examples_;
  std::string list_;  // the first of them
  int64_t answers_ = 0, lists_ = 0, split_ = 0;
};

}  // namespace rubric::data
