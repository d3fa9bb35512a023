#include "metrics/ngram/refusals.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/text/ascii.h"
#include "text/bare_answers.h"
#include "text/unicode/unicode.h"

namespace rubric {
extern const char* const kRefusals;  // refusals.txt (src/CMakeLists.txt)
}

namespace rubric::metrics {
namespace {

// As they are written in small letters, and written out.
constexpr std::pair<std::string_view, std::string_view> kContractions[] = {
    {"\u2019", "'"},   {"can't", "cannot"},     {"can not", "cannot"}, {"won't", "will not"},
    {"n't", " not"},   {"i'm", "i am"},         {"i'd", "i would"},    {"i've", "i have"},
    {"it's", "it is"}, {"there's", "there is"}, {"that's", "that is"}};

std::string written_out(std::string_view text) {
  std::string result;
  for (const char c : text::lower_case(text)) {
    const bool is_space = text::is_ascii_python_space(static_cast<unsigned char>(c));
    if (!is_space || !result.ends_with(' ')) result += is_space ? ' ' : c;
  }
  for (const auto& [contraction, words] : kContractions) replace_all(result, contraction, words);
  constexpr std::string_view kAround = " \t.,;:!?-'\"()[]*_";
  const size_t begin = std::min(result.find_first_not_of(kAround), result.size());
  return result.substr(begin, result.find_last_not_of(kAround) + 1 - begin);
}

const std::set<std::string_view>& refusals() {
  static const std::set<std::string_view> lines = [] {
    std::set<std::string_view> all;
    for (std::string_view rest = kRefusals; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      if (!line.empty() && line[0] != '#') all.insert(line);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
  }();
  return lines;
}

}  // namespace

bool is_refusal(std::string_view text) {
  constexpr size_t kLongest = 200;  // of a line, and what may stand around it
  return text.size() <= kLongest && refusals().contains(written_out(text));
}

bool answers_nothing(std::span<const std::string> references, std::string_view candidate) {
  const auto says_something = [](const std::string& text) { return text::has_text(text); };
  if (references.empty() || !std::ranges::all_of(references, says_something)) return false;
  if (!text::has_text(candidate)) return true;
  return is_refusal(candidate) && std::ranges::none_of(references, is_refusal);
}

}  // namespace rubric::metrics
