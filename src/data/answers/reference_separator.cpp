#include "data/answers/reference_separator.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/error.h"
#include "core/field_text.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/rows/list_cell.h"

namespace rubric::data {
namespace {

using namespace std::string_view_literals;

bool is_word(const std::string& part) {
  return part.find_first_not_of("0123456789.,:-+ ") != std::string::npos;
}

// Whether each part is as short as an answer: sentences hold "or", too.
bool are_short(const std::vector<std::string>& parts) {
  constexpr std::ptrdiff_t kMostBlanks = 4;
  return std::ranges::all_of(
      parts, [](const std::string& part) { return std::ranges::count(part, ' ') <= kMostBlanks; });
}

// Numbers between these alone are one text: 3/4, 12/25/2020, 5~10, 1,000.
bool joins_numbers(std::string_view separator) {
  return separator == "/" || separator == "／" || separator == "~" || separator == ",";
}

// Whether one answer may contain the separator: "red or blue", "Paris, France".
bool may_be_text(std::string_view separator, const std::string& text,
                 const std::vector<std::string>& parts) {
  if (separator == ",") return text.find(", ") != std::string::npos;
  return ascii_lower(separator) == " or " && !are_short(parts);
}

bool is_list(const std::string& text) {
  try {
    return text.starts_with('[') &&
           parse_list_cell(text, "").value_or(std::vector<std::string>()).size() > 0;
  } catch (const InputError&) {
    return false;  // a text that only looks like a list
  }
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
  ++answers_;
  for (const std::string& text : answer.references) {
    if (text.find(separator_) != text.npos) ++split_;
    std::ranges::move(split_reference(text, separator_), std::back_inserter(parts));
  }
  answer.references = std::move(parts);
}

std::string ReferenceSeparator::signature() const {
  return separator_.empty() ? "" : "|refsep:" + signature_text(separator_);
}

void ReferenceSeparator::count(const Answer& answer) {
  ++answers_;
  if (answer.references.size() != 1) return;
  const std::string& text = answer.references.front();
  if (text.find("://") != text.npos) return;  // an address
  if (is_list(text)) {
    if (lists_++ == 0) list_ = text;
    return;
  }
  for (size_t i = 0; i < kSeparators.size(); ++i) {
    if (text.find(kSeparators[i]) == text.npos) continue;
    const std::vector<std::string> parts = split_reference(text, kSeparators[i]);
    if (parts.size() < 2) continue;
    if (joins_numbers(kSeparators[i]) && std::ranges::none_of(parts, is_word)) continue;
    if (may_be_text(kSeparators[i], text, parts)) continue;
    if (counts_[i]++ == 0) examples_[i] = text;
    if (kSeparators[i] != " / "sv) return;  // of "|||" no further "|" is counted
  }
}

void ReferenceSeparator::warn() const {
  if (answers_ > 0 && split_ == 0 && !separator_.empty()) {
    log_warning("no reference" + own_field("reference") + " holds the separator of references " +
                json_quote(separator_));
  }
  if (lists_ > 0) {
    log_warning(counted(lists_, "reference") + own_field("reference") +
                (lists_ == 1 ? " looks" : " look") + " like a list, such as " + json_quote(list_) +
                ": each counts as one text; give a list in place of such a text");
  }
  constexpr int64_t kOneIn = 5;
  size_t i = 0;
  int64_t most = 1;
  for (size_t s = 0; s < kSeparators.size(); ++s) {
    if (counts_[s] <= most || counts_[s] * (s < kRare ? kOneIn : 2) <= answers_) continue;
    i = s;
    most = counts_[s];
  }
  if (most < 2) return;
  log_warning(std::to_string(most) + " of " + counted(answers_, "reference") + " hold " +
              json_quote(kSeparators[i]) + ", such as " + json_quote(examples_[i]) +
              ": each counts as one text; if it separates several answers, add " + option_ +
              json_quote(kSeparators[i]));
}

}  // namespace rubric::data
