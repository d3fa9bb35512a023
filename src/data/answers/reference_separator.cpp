#include "data/answers/reference_separator.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"

namespace rubric::data {
namespace {

bool is_word(const std::string& part) {
  return part.find_first_not_of("0123456789.,:-+ ") != std::string::npos;
}

}  // namespace

std::vector<std::string> split_reference(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; !separator.empty() && begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    const std::string_view part = trim(std::string_view(text).substr(begin, end - begin));
    if (!part.empty()) parts.emplace_back(part);
    begin = end + separator.size();
  }
  if (parts.size() < 2 && text.find(separator) == text.npos) return {text};
  if (parts.empty()) return {text};
  return parts;
}

void ReferenceSeparator::read(Answer& answer) {
  if (separator_.empty()) return count(answer);
  std::vector<std::string> parts;
  for (const std::string& text : answer.references) {
    std::ranges::move(split_reference(text, separator_), std::back_inserter(parts));
  }
  answer.references = std::move(parts);
}

std::string ReferenceSeparator::signature() const {
  if (separator_.empty()) return "";
  const std::string quoted = json_quote(separator_);  // a line break is \n
  return "|refsep:" + quoted.substr(1, quoted.size() - 2);
}

void ReferenceSeparator::count(const Answer& answer) {
  ++answers_;
  if (answer.references.size() != 1) return;
  const std::string& text = answer.references.front();
  if (text.find("://") != text.npos) return;  // an address
  for (size_t i = 0; i < kSeparators.size(); ++i) {
    if (text.find(kSeparators[i]) == text.npos) continue;
    const std::vector<std::string> parts = split_reference(text, kSeparators[i]);
    if (parts.size() < 2 || !std::ranges::all_of(parts, is_word)) continue;
    if (counts_[i]++ == 0) examples_[i] = text;
    return;  // of "|||" no further "|" is counted
  }
}

void ReferenceSeparator::warn() const {
  const auto most = std::ranges::max_element(counts_);
  if (*most * 2 <= answers_ || *most < 2) return;
  const auto i = static_cast<size_t>(most - counts_.begin());
  log_warning(std::to_string(*most) + " of " + counted(answers_, "reference") + " hold " +
              json_quote(kSeparators[i]) + ", such as " + json_quote(examples_[i]) +
              ": each counts as one text; if it separates several answers, add "
              "--reference-separator " +
              json_quote(kSeparators[i]));
}

}  // namespace rubric::data
