#include "data/rows/list_cell.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"

namespace rubric::data {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_quote(char c) {
  return c == '\'' || c == '"';
}

// How an item of a list of texts begins, as JSON, Python and numpy write one.
constexpr std::string_view kItems[] = {"'",   "\"", "u'",  "u\"",     "b'",
                                       "b\"", "{'", "{\"", "np.str_("};

// Items that are missing, which fill a list alone.
constexpr std::string_view kMissingItems[] = {"None", "null", "nan", "NaN", "<NA>"};

// Whether a text in brackets has an item that a list of texts has.
bool has_item(std::string_view list) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] != '[' && list[i] != ',') continue;
    const size_t begin = std::min(list.find_first_not_of(kBlanks, i + 1), list.size());
    const std::string_view item = list.substr(begin);
    if (std::ranges::any_of(kItems, [&](auto start) { return item.starts_with(start); })) {
      return true;
    }
    const std::string_view word = trim(item.substr(0, item.find_first_of(",]")));
    if (std::ranges::count(kMissingItems, word) > 0) return true;
  }
  return false;
}

// Parses a list as Python's repr() or JSON writes one: both escape alike but for \x, \U and \/.
class ListParser {
 public:
  ListParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  std::vector<std::string> parse() {
    std::vector<std::string> items;
    take('[');
    while (!take(']')) {
      items.push_back(item());
      if (take(',') || peek() == ']') continue;
      fail(is_quote(peek()) ? "no comma between two items, as numpy writes its arrays"
                            : "the list is not closed");
    }
    if (at_ < text_.size()) fail("text follows the list");
    return items;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  // Takes `c` and the blanks behind it.
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  std::string item() {
    if (peek() == '{') return text_of_object();
    if (text_.substr(at_).starts_with("u'") || text_.substr(at_).starts_with("u\"")) ++at_;
    return is_quote(peek()) ? quoted() : number();
  }

  // The member "text" of an object, such as {'text': 'a', 'answer_start': 1} of SQuAD.
  std::string text_of_object() {
    std::optional<std::string> text;
    take('{');
    while (!take('}')) {
      if (!is_quote(peek())) fail("an object has a key that is no text");
      const std::string key = quoted();
      if (!take(':')) fail("an object has no colon behind the key " + json_quote(key));
      if (key == "text" && is_quote(peek())) {
        text = quoted();
      } else {
        skip_value();
      }
      if (!take(',') && peek() != '}') fail("an object is not closed");
    }
    if (!text) fail("an object has no text under the key \"text\"");
    return *text;
  }

  // Skips a text, a number or a word, or a list of these.
  void skip_value() {
    if (!take('[')) return skip_scalar();
    while (!take(']')) {
      skip_scalar();
      if (!take(',') && peek() != ']') fail("a list in an object is not closed");
    }
  }

  void skip_scalar() {
    if (is_quote(peek())) {
      quoted();
      return;
    }
    const size_t end = std::min(text_.find_first_of(",]}[{ \t\r\n", at_), text_.size());
    if (end == at_) fail("a value of an object is neither a text nor a number nor a list of these");
    at_ = end;
    skip_blanks();
  }

  std::string quoted() {
    const char quote = text_[at_++];
    std::string item;
    while (peek() != quote) {
      if (at_ >= text_.size()) fail("the list ends inside a text: it may have been cut off");
      if (peek() == '\\') {
        ++at_;
        append_escaped(item);
      } else {
        item += text_[at_++];
      }
    }
    ++at_;
    skip_blanks();
    return item;
  }

  void append_escaped(std::string& item) {
    constexpr std::string_view kLetters = "nrtbfav0", kMeant = {"\n\r\t\b\f\a\v\0", 8};
    if (at_ >= text_.size()) fail("the list ends inside a text: it may have been cut off");
    const char letter = text_[at_++];
    if (letter == 'x') return append_utf8(hexadecimal(2), item);
    if (letter == 'U') return append_utf8(scalar(hexadecimal(8)), item);
    if (letter == 'u') return append_utf8(character_of_units(), item);
    const size_t index = kLetters.find(letter);
    if (index != std::string_view::npos) {
      item += kMeant[index];
    } else if (is_quote(letter) || letter == '\\' || letter == '/') {
      item += letter;
    } else {
      (item += '\\') += letter;  // as Python reads an unknown escape
    }
  }

  // A surrogate alone is not a character: UTF-8 cannot write it.
  static char32_t scalar(char32_t value) {
    constexpr char32_t kHigh = 0xD800, kEnd = 0xE000;
    return value >= kHigh && value < kEnd ? kReplacementCharacter : value;
  }

  // The character behind \u; JSON writes one above U+FFFF as two surrogates.
  char32_t character_of_units() {
    constexpr char32_t kHigh = 0xD800, kLow = 0xDC00, kEnd = 0xE000;
    const char32_t first = hexadecimal(4);
    if (first < kHigh || first >= kEnd) return first;
    if (first >= kLow || !text_.substr(at_).starts_with("\\u")) return kReplacementCharacter;
    at_ += 2;
    const char32_t second = hexadecimal(4);
    if (second < kLow || second >= kEnd) return kReplacementCharacter;
    return 0x10000 + ((first - kHigh) << 10) + (second - kLow);
  }

  char32_t hexadecimal(size_t digits) {
    const std::string_view text = text_.substr(at_, digits);
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.size() < digits || error != std::errc() || end != text.data() + text.size()) {
      fail("an escape needs " + std::to_string(digits) + " hexadecimal digits");
    }
    at_ += digits;
    constexpr char32_t kLast = 0x10FFFF;
    return value > kLast ? kReplacementCharacter : value;
  }

  std::string number() {
    const size_t end = std::min(text_.find_first_of(",] \t\r\n", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    if (!parse_number(word)) {
      fail("an item is neither a text nor a number: " +
           json_quote(word.empty() ? text_.substr(at_, 1) : word));
    }
    at_ = end;
    skip_blanks();
    return std::string(word);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("the cell begins like a list but is not a list: " + what, where_,
                     "write lists as JSON or Python does, [\"a\", \"b\"] (pandas: "
                     "column.map(json.dumps)), or give the rows as JSON lines");
  }

  std::string_view text_;
  const std::string& where_;
  size_t at_ = 0;
};

// What begins and ends so is a collection that Python has written. Where it begins with a quoted
// text, one of `behind` must follow that: ("The Hobbit") and {"quoted"} are texts in brackets.
struct Collection {
  std::string_view begin, end, behind, name;
};
constexpr Collection kCollections[] = {
    {"('", ")", ",", "a tuple"},
    {"(\"", ")", ",", "a tuple"},
    {"{'", "}", ":,", "a set or object"},
    {"{\"", "}", ":,", "a set or object"},
    {"array([", ")", "", "numpy's array"},
    {"<StringArray>", "", "", "pandas' array"},
    {"<ArrowStringArray>", "", "", "pandas' array"},
};

// The character behind the quoted text that begins at `at`, and behind blanks; '\0' at the end.
char behind_quoted(std::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  const size_t next = at < text.size() ? text.find_first_not_of(kBlanks, at + 1) : text.npos;
  return next == text.npos ? '\0' : text[next];
}

void refuse_collection(std::string_view text, const std::string& where) {
  for (const Collection& each : kCollections) {
    if (!text.starts_with(each.begin) || !text.ends_with(each.end)) continue;
    if (!each.behind.empty() &&
        each.behind.find(behind_quoted(text, each.begin.size() - 1)) == each.behind.npos) {
      continue;
    }
    throw InputError("the cell holds " + std::string(each.name) + ", as Python writes it", where,
                     "write lists of texts, [\"a\", \"b\"] (pandas: column.map(lambda x: "
                     "json.dumps(list(x))); of Hugging Face's answers x[\"text\"])");
  }
}

}  // namespace

std::optional<std::vector<std::string>> parse_list_cell(std::string_view text,
                                                        const std::string& where) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
  refuse_collection(text, where);
  if (text[0] != '[') return std::nullopt;
  if (text.find_first_not_of(kBlanks, 1) == text.size() - 1 && text.ends_with(']')) {
    return std::vector<std::string>();
  }
  const size_t inside = text.find_first_not_of(" \t\r\n[");
  if (inside == std::string_view::npos) return std::nullopt;
  const std::string_view item = text.substr(inside);
  const bool begins = is_quote(item[0]) || item.starts_with("{'") || item.starts_with("{\"");
  if (!begins && !(text.ends_with(']') && has_item(text))) return std::nullopt;
  return ListParser(text, where).parse();
}

}  // namespace rubric::data
