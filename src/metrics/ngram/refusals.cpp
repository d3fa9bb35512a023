#include "metrics/ngram/refusals.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/files/embedded.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "text/bare_answers.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

const WordPairs kContractions("metrics/ngram/contractions.tsv", "contractions");

// Without what is no letter and no digit at both ends: quotes, blanks, an ellipsis.
std::string_view without_marks(std::string_view text) {
  const auto is_mark = [](char32_t c) { return !text::is_letter(c) && !text::is_number(c); };
  for (size_t i = 0; !text.empty() && is_mark(decode_utf8(text, i)); i = 0) text.remove_prefix(i);
  for (size_t i = text.size(); i > 0 && is_mark(decode_utf8_backwards(text, i));) {
    text.remove_suffix(text.size() - i);
  }
  return text;
}

std::string written_out(std::string_view text) {
  std::string result = " ";
  const std::string lower = text::lower_case(without_marks(text));
  for (size_t i = 0; i < lower.size();) {
    const size_t begin = i;
    const bool is_space = text::is_python_space(decode_utf8(lower, i));
    if (!is_space) result.append(lower, begin, i - begin);
    if (is_space && !result.ends_with(' ')) result += ' ';
  }
  result += ' ';
  for (const auto& [contraction, words] : kContractions) replace_all(result, contraction, words);
  return std::string(trim(result));
}

// Without "sorry" and "i am sorry" at the end.
std::string_view without_closing(std::string_view text) {
  const auto skip = [&](std::string_view word) {
    const std::string_view rest = text.substr(0, text.size() - std::min(word.size(), text.size()));
    const bool is_there =
        text.ends_with(word) && without_marks(rest).size() < rest.size();  // no "unsorry"
    if (is_there) text = without_marks(rest);
    return is_there;
  };
  if (skip("sorry")) skip("i am");
  return text;
}

using Lines = std::set<std::string, std::less<>>;

struct Refusals {
  Lines texts, references, openings;  // references: further ones that only a reference can be
};

// The lines of refusals.txt, those with {source} once for each source.
const Refusals& refusals() {
  static const Refusals lines = [] {
    constexpr std::string_view kSource = "source: ", kReference = "reference: ",
                               kOpening = "opening: ";
    Refusals all;
    std::vector<std::string> sources;  // stand before the lines that have {source}
    for (std::string_view rest = embedded_text("metrics/ngram/refusals.txt"); !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      std::string line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.empty() || line[0] == '#') continue;
      Lines* of = &all.texts;
      if (line.starts_with(kSource)) {
        sources.push_back(line.substr(kSource.size()));
        continue;
      }
      if (line.starts_with(kReference)) {
        of = &all.references;
        line.erase(0, kReference.size());
      } else if (line.starts_with(kOpening)) {
        of = &all.openings;
        line.erase(0, kOpening.size());
      }
      for (const std::string& source : sources) {
        std::string text = line;
        replace_all(text, "{source}", source);
        of->insert(std::move(text));
      }
    }
    return all;
  }();
  return lines;
}

// Without what may stand before a refusal: "i am sorry, but", "as a language model,".
std::string_view without_opening(std::string_view text) {
  const auto rest_behind = [&](std::string_view word) {
    const bool is_there = text.starts_with(word) &&
                          (text.size() == word.size() || !is_ascii_letter(text[word.size()]));
    return is_there ? without_marks(text.substr(word.size())) : text;
  };
  for (std::string_view shortest = text;; text = shortest) {
    for (const std::string& opening : refusals().openings) {
      const std::string_view rest = rest_behind(opening);
      if (rest.size() < shortest.size()) shortest = rest;
    }
    if (shortest.size() == text.size()) return text;
    text = shortest;
    shortest = rest_behind("but");
  }
}

// Whether one of these lines is the whole text.
bool is_line(std::string_view text, const Lines& lines) {
  constexpr size_t kLongest = 200;  // of a line, and what may stand around it
  if (text.size() > kLongest) return false;
  const std::string written = written_out(text);
  return lines.contains(without_closing(written)) ||
         lines.contains(without_closing(without_opening(written)));
}

}  // namespace

bool is_refusal(std::string_view text) {
  return is_line(text, refusals().texts);
}

bool has_no_answer(std::string_view reference) {
  return !text::has_text(reference) || is_refusal(reference) ||
         is_line(reference, refusals().references);
}

bool answers_nothing(std::span<const std::string> references, std::string_view candidate) {
  if (references.empty() || !std::ranges::all_of(references, text::has_text)) return false;
  if (!text::has_text(candidate)) return true;
  return is_refusal(candidate) && std::ranges::none_of(references, has_no_answer);
}

std::optional<std::string_view> same_refusal(std::span<const std::string> references,
                                             std::string_view candidate) {
  if (!text::has_text(candidate) || !has_no_answer(candidate)) return std::nullopt;
  if (std::ranges::count(references, candidate) > 0) return std::nullopt;
  if (!std::ranges::all_of(references, text::has_text)) return "";
  const auto found = std::ranges::find_if(references, has_no_answer);
  return found == references.end() ? std::nullopt : std::optional<std::string_view>(*found);
}

}  // namespace rubric::metrics
