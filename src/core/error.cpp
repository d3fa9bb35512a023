#include "core/error.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric {
namespace {

std::string message_of(const std::string& what, const std::string& where,
                       const std::string& what_to_do) {
  constexpr std::string_view kToDo = "\n  to do: ";
  if (where.empty() && what_to_do.empty()) return what;
  // Of an error that is passed on the place goes before its advice, and a nearer advice replaces
  // it.
  const size_t end = std::min(what.find(kToDo), what.size());
  std::string message = what.substr(0, end);
  if (!where.empty()) message += "\n  where: " + where;
  if (what_to_do.empty()) return message + what.substr(end);
  return message.append(kToDo) + what_to_do;
}

// The fewest letters to insert, leave out or replace, and neighbours to exchange (optimal string
// alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  return edits[a.size()][b.size()];
}

// Without what people write differently: "ROUGE-L" is "rougel", as "rouge_l" is.
std::string folded(std::string_view name) {
  std::string result = ascii_lower(name);
  std::erase_if(result, [](char c) { return c == '-' || c == '_' || c == ' '; });
  return result;
}

}  // namespace

Error::Error(const std::string& what, const std::string& where, const std::string& what_to_do)
    : std::runtime_error(message_of(what, where, what_to_do)) {}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr size_t kLongestName = 100;  // bounds the work on untrusted input
  if (name.size() > kLongestName) return "";
  const std::string meant = folded(name);
  std::string best;
  // As folded, then as written.
  std::pair<size_t, size_t> best_distance = {std::max<size_t>(2, meant.size() / 3) + 1, 0};
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    const std::string other = folded(candidate);
    const std::pair<size_t, size_t> distance = {edit_distance(meant, other),
                                                edit_distance(name, candidate)};
    const size_t longer = std::max(meant.size(), other.size());
    // Of nope half of the letters are not copy's, which is not near; of f2 and f1 the one other is.
    const bool is_near = 2 * distance.first < longer || (distance.first == 1 && longer == 2);
    if (distance < best_distance && is_near) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

InputError unknown_name(const std::string& kind, const std::string& name,
                        const std::vector<std::string>& choices, const std::string& where,
                        const std::vector<std::pair<std::string, std::string>>& aliases) {
  std::string nearest = nearest_name(name, choices);
  const std::string meant = folded(name);
  std::vector<std::string> same, longer;  // of "BLEU" "bleu", else all orders
  for (const std::string& choice : choices) {
    if (folded(choice) == meant) same.push_back(choice);
    if (meant.size() > 2 && folded(choice).starts_with(meant)) longer.push_back(choice);
  }
  if (!same.empty()) {
    nearest = join(same, " or ");
  } else if (longer.size() > 1) {
    nearest = join(longer, " or ");
  }
  std::vector<std::string> others;
  for (const auto& [alias, choice] : aliases) others.push_back(alias);
  const std::string alias = nearest.empty() ? nearest_name(name, others) : "";
  for (const auto& [other, choice] : aliases) {
    if (!alias.empty() && other == alias) nearest = choice;
  }
  return InputError(
      "there is no " + kind + " called " + json_quote(name), where,
      nearest.empty() ? "choose one of " + join(choices) : "did you mean " + nearest + "?");
}

InputError no_rows(const std::filesystem::path& file) {
  return InputError("the file has no rows", file.string(),
                    "name a file with rows; a table needs some below its first line");
}

std::string one_line(const Error& error) {
  std::string line;
  for (const char c : std::string(error.what())) {
    if (c == '\n') line += ';';
    if (c != '\n' && (c != ' ' || !line.ends_with(' '))) line += c;
  }
  return line;
}

std::string counted(int64_t count, std::string_view one, std::string_view several) {
  const std::string number = std::to_string(count) + " ", noun(one);
  if (count == 1) return number + noun;
  if (!several.empty()) return number + std::string(several);
  const bool is_reply = noun.size() > 1 && noun.ends_with('y') &&
                        std::string_view("aeiou").find(noun[noun.size() - 2]) == noun.npos;
  return number + (is_reply ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s");
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

void add_once(const std::string& text, std::vector<std::string>& texts) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

std::string join_some(std::vector<std::string> parts, std::string_view separator) {
  constexpr size_t kListed = 10;
  const size_t count = parts.size();
  if (count > kListed) {
    parts.resize(kListed);
    parts.push_back("… " + std::to_string(count) + " in all");
  }
  return join(parts, separator);
}

}  // namespace rubric
