#include "judge/verdicts/verdicts.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/embedded.h"
#include "core/text/ascii.h"
#include "judge/verdicts/reply.h"
#include "text/unicode/unicode.h"

namespace rubric::judge {

namespace {

// Markup that may surround numbers and verdicts.
constexpr std::string_view kMarkup = " \t*_`#>|([\"'-";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// ---- headings ----

struct Heading {
  size_t at;  // position of its digit
  char digit;
};

// The text without trailing markup.
std::string_view without_markup(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kMarkup) + 1);
}

std::string_view without_label(std::string_view text) {
  for (const std::string_view label : {"question", "criterion", "aspect", "q"}) {
    const size_t size = std::min(label.size(), text.size());
    if (ascii_lower(text.substr(text.size() - size)) != label) continue;
    return without_markup(text.substr(0, text.size() - size));
  }
  return text;
}

// Whether the character after the digit ends the number, so that it is not a decimal.
bool ends_number(std::string_view text, size_t digit) {
  const size_t end = text.find_first_not_of(" *_`", digit + 1);
  if (end == text.npos || text[end] == '\n' || text[end] == '\r') return true;
  const bool is_decimal = end + 1 < text.size() && is_ascii_digit(text[end + 1]);
  return std::string_view(".):|").find(text[end]) != std::string_view::npos && !is_decimal;
}

enum class Starts { of_lines, of_words };

// All digits that are headings: between them and the start of their line (or, of_words, a space)
// there is only markup and perhaps a word for "criterion". (Looks back only to the previous digit,
// so that time is linear.)
std::vector<Heading> headings(std::string_view text, Starts starts) {
  std::vector<Heading> found;
  for (size_t at = text.find_first_of("123456789"); at != text.npos;
       at = text.find_first_of("123456789", at + 1)) {
    if (!ends_number(text, at)) continue;
    const size_t start = without_label(without_markup(text.substr(0, at))).size();
    const bool starts_line = start == 0 || text[start - 1] == '\n';
    const bool starts_word = starts == Starts::of_words && start < at && is_blank(text[start]);
    if (starts_line || starts_word) found.push_back({at, text[at]});
  }
  return found;
}

bool are_aspects(const std::vector<Heading>& found) {
  return std::ranges::equal(found, std::string_view("1234"), {}, &Heading::digit);
}

// ---- the verdict below a heading ----

struct Word {
  size_t begin, end;
  bool agrees;
};

// The next "agree" or "disagree" from `at` on.
std::optional<Word> next_word(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (!is_ascii_letter(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_ascii_letter(text[end])) ++end;
    const std::string word = ascii_lower(text.substr(at, end - at));
    if (word == "agree" || word == "disagree") return Word{at, end, word == "agree"};
    at = end;
  }
  return std::nullopt;
}

// Whether the two words offer a choice: "agree or disagree", "Agree/Disagree".
bool is_choice(std::string_view text, const Word& first, const Word& second) {
  std::string between = ascii_lower(text.substr(first.end, second.begin - first.end));
  std::erase_if(between, [](char c) { return is_blank(c) || kMarkup.find(c) != kMarkup.npos; });
  return first.agrees != second.agrees && (between == "or" || between == "/");
}

bool is_word_part(char c) {
  return is_ascii_letter(c) || c == '\'' || (c & 0x80) != 0;
}

// The last word of a text, including apostrophes; "" if the text does not end with a word.
std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && is_word_part(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool is_negation(std::string_view word) {
  static const WordList kWords("judge/verdicts/verdicts.tsv", "negations");
  return std::ranges::count(kWords, word) > 0 || word.ends_with("n't") || word.ends_with("n’t");
}

// Whether the word may stand between a negation and its verb: "not fully agree", "not at all
// agree". Words that cancel the negation, "not only agree", may not.
bool is_adverb(std::string_view word) {
  constexpr std::string_view kWords[] = {"all", "always", "at", "even", "quite"};
  constexpr std::string_view kOthers[] = {"merely", "only", "simply"};
  return std::ranges::count(kWords, word) > 0 ||
         (word.ends_with("ly") && std::ranges::count(kOthers, word) == 0);
}

// Whether a negation precedes a word, with at most two adverbs between them and only spaces and
// emphasis otherwise: "correct or not | Agree" negates nothing.
bool is_negated(std::string_view before) {
  constexpr size_t kLongest = 80;  // of three words, including emphasis
  std::string lower = ascii_lower(before.substr(before.size() - std::min(before.size(), kLongest)));
  std::erase_if(lower, [](char c) { return c == '*' || c == '_'; });
  std::string_view text = lower;
  constexpr int kMostAdverbs = 2;
  for (int adverbs = 0; adverbs <= kMostAdverbs; ++adverbs) {
    text = text.substr(0, text.find_last_not_of(" \t") + 1);
    const std::string_view word = last_word(text);
    if (is_negation(word)) return true;
    if (!is_adverb(word)) return false;
    text.remove_suffix(word.size());
  }
  return false;
}

// Whether the word may negate a verdict later in its sentence: "I refuse to agree", "I would not
// say I agree".
bool is_denial(std::string_view word) {
  static const WordList kWords("judge/verdicts/verdicts.tsv", "denials");
  return is_negation(word) || std::ranges::count(kWords, word) > 0;
}

// Whether the character ends a sentence, a cell, or the text before a dash.
bool ends_sentence(std::string_view text, size_t at) {
  const auto next = [&](auto is) { return at + 1 < text.size() && is(text[at + 1]); };
  if (text[at] == '-') return at > 0 && is_blank(text[at - 1]) && next(is_blank);
  return std::string_view(".:?!;|\n\r").find(text[at]) != text.npos && !next(is_ascii_digit);
}

// Whether the last sentence of `text` contains a negation; `denied`: the sentence that continues in
// `text` contained one before. A conclusion, ", so …", starts a new sentence.
bool is_denied(std::string_view text, bool denied) {
  constexpr std::string_view kConclusions[] = {"so", "hence", "thus", "therefore"};
  const std::string lower = ascii_lower(text);
  for (size_t at = 0, end = 0; at < lower.size(); at = std::max(end, at + 1)) {
    for (end = at; end < lower.size() && is_word_part(lower[end]);) ++end;
    const std::string_view word = std::string_view(lower).substr(at, end - at);
    const bool concludes = std::ranges::count(kConclusions, word) > 0 && at >= 2 &&
                           lower.compare(at - 2, 2, ", ") == 0;
    if (concludes || word == "–" || word == "—" || ends_sentence(lower, at)) {
      denied = false;
    } else if (is_denial(word)) {
      denied = true;
    }
  }
  return denied;
}

// Whether the text before a word makes it the verdict itself: the start of a line or sentence, or a
// colon.
bool opens(std::string_view before) {
  before = without_markup(before);
  return before.empty() || std::string_view("\n\r.:?!;").find(before.back()) != before.npos;
}

// The common value if all are equal, else nullopt.
std::optional<bool> unanimous(const std::vector<bool>& answers) {
  if (answers.empty() || std::ranges::count(answers, answers.front()) != std::ssize(answers)) {
    return std::nullopt;
  }
  return answers.front();
}

std::optional<bool> verdict_of(std::string_view text) {
  std::vector<bool> opening, inside;
  bool denied = false, is_unclear = false;
  size_t looked_at = 0;  // end of the text searched for denials
  for (std::optional<Word> word = next_word(text, 0); word;) {
    const std::optional<Word> next = next_word(text, word->end);
    if (next && is_choice(text, *word, *next)) {
      word = next_word(text, next->end);
      continue;
    }
    const std::string_view before = text.substr(0, word->begin);
    denied = is_denied(before.substr(looked_at), denied);
    looked_at = word->end;
    if (is_negated(before)) {
      inside.push_back(!word->agrees);
      denied = false;  // by what is understood
    } else if (opens(before)) {
      opening.push_back(word->agrees);
    } else {
      inside.push_back(word->agrees);
      is_unclear = is_unclear || denied;
    }
    word = next;
  }
  if (!opening.empty()) return unanimous(opening);
  return is_unclear ? std::nullopt : unanimous(inside);
}

}  // namespace

namespace {

// ---- JSON ----

// The words of a key in lower case: "isCorrect_1" has is, correct, 1.
std::vector<std::string> key_words(std::string_view key) {
  std::vector<std::string> words;
  char before = ' ';
  for (const char c : key) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool was_lower = before >= 'a' && before <= 'z';
    const bool is_digit = is_ascii_digit(c);
    if (is_ascii_letter(c) || is_digit) {
      const bool continues = !words.empty() && !(is_upper && was_lower) &&
                             (is_digit ? is_ascii_digit(before) : is_ascii_letter(before));
      if (!continues) words.emplace_back();
      words.back() += ascii_lower(std::string_view(&c, 1));
    }
    before = c;
  }
  return words;
}

bool has_word(const std::vector<std::string>& words, const WordList& of) {
  return std::ranges::find_first_of(words, of) != words.end();
}

// Of keys that say the opposite: "no_extraneous", "isNotCorrect", "worse_answer".
const WordList kNegations("judge/verdicts/verdicts.tsv", "negations of keys");

// Of keys whose values are about a verdict: "correct_reason", "confidence".
const WordList kRemarks("judge/verdicts/verdicts.tsv", "remarks");

// The aspect that a key names; nullopt if it names none or several, or negates one.
std::optional<size_t> aspect_of_key(std::string_view key) {
  constexpr std::array<std::string_view, kAspects.size()> kStems = {"correct", "helpful",
                                                                    "irrelevan", "extraneous"};
  constexpr std::array<std::string_view, kAspects.size()> kLetters = {"c", "h", "i", "e"};
  constexpr std::array<std::string_view, kAspects.size()> kNumbers = {"1", "2", "3", "4"};
  const std::vector<std::string> words = key_words(key);
  if (has_word(words, kNegations)) return std::nullopt;
  std::vector<size_t> stems, numbers;
  for (const std::string& word : words) {
    for (size_t i = 0; i < kAspects.size(); ++i) {
      if (word.starts_with(kStems[i]) || (words.size() == 1 && word == kLetters[i])) {
        stems.push_back(i);
      }
      if (word == kNumbers[i]) numbers.push_back(i);
    }
  }
  const std::vector<size_t>& named = stems.empty() ? numbers : stems;
  return named.size() == 1 ? std::optional(named.front()) : std::nullopt;
}

// Whether the key ends in one of the names, such as "final_verdict". "answer" must be the whole
// key: a "candidate_answer" is no verdict.
bool is_key(std::string_view key, const WordList& names) {
  const std::vector<std::string> words = key_words(key);
  if (words.empty() || has_word(words, kNegations) || has_word(words, kRemarks)) return false;
  const bool is_whole = words.size() == 1 || (words.size() == 2 && words.front() == "final");
  return std::ranges::count(names, words.back()) > 0 && (is_whole || words.back() != "answer");
}

const WordList kVerdictKeys("judge/verdicts/verdicts.tsv", "keys of verdicts");
const WordList kNameKeys("judge/verdicts/verdicts.tsv", "keys of names");

// The verdict in a JSON value; nullopt if it holds none or several.
std::optional<bool> verdict_in(const Json& json) {
  if (json.is_bool()) return json.boolean();
  if (json.is_number() && (json.number() == 0 || json.number() == 1)) return json.number() == 1;
  if (json.is_string()) {
    std::string word = ascii_lower(json.string());
    std::erase_if(word, [](char c) { return !is_ascii_letter(c) && !is_ascii_digit(c); });
    if (word == "yes" || word == "y" || word == "true" || word == "1") return true;
    if (word == "no" || word == "n" || word == "false" || word == "0") return false;
    return verdict_of(json.string());
  }
  if (!json.is_object()) return std::nullopt;
  std::vector<bool> found;
  for (const auto& [key, value] : json.object()) {
    if (!is_key(key, kVerdictKeys)) continue;
    const std::optional<bool> verdict = verdict_in(value);
    if (!verdict) return std::nullopt;
    found.push_back(*verdict);
  }
  return unanimous(found);
}

using NamedVerdict = std::pair<std::optional<size_t>, std::optional<bool>>;

// The verdicts by aspect; nullopt unless each aspect has exactly one.
std::optional<Verdicts> complete(const std::vector<NamedVerdict>& found) {
  Verdicts verdicts{};
  std::array<int, kAspects.size()> counts{};
  for (const auto& [aspect, verdict] : found) {
    if (!aspect || !verdict) continue;
    verdicts[*aspect] = *verdict;
    ++counts[*aspect];
  }
  const bool is_complete = std::ranges::all_of(counts, [](int count) { return count == 1; });
  return is_complete ? std::optional(verdicts) : std::nullopt;
}

bool is_remark(const std::string& key) {
  return has_word(key_words(key), kRemarks);
}

// The members of an object that are no remarks. Scores, "correct_score", are remarks where a plain
// key names an aspect.
std::vector<NamedVerdict> members(const Json& object) {
  std::vector<NamedVerdict> plain, scores;
  for (const auto& [key, value] : object.object()) {
    if (is_remark(key)) continue;
    const bool is_score = ascii_lower(key).ends_with("score");
    (is_score ? scores : plain).emplace_back(aspect_of_key(key), verdict_in(value));
  }
  const bool is_named =
      std::ranges::any_of(plain, [](const NamedVerdict& verdict) { return !!verdict.first; });
  return is_named || scores.empty() ? plain : scores;
}

// The aspect and the verdict of an item of a list: {"criterion": "correctness", "verdict": "Agree"}
// or {"correctness": "Agree"}. No aspect where the names differ, or one says the opposite.
NamedVerdict verdict_of_item(const Json& item) {
  std::optional<size_t> named;
  for (const auto& [key, value] : item.object()) {
    if (!is_key(key, kNameKeys) || (!value.is_string() && !value.is_number())) continue;
    const std::string name = value.is_string() ? value.string() : value.number_text();
    const std::optional<size_t> aspect = aspect_of_key(name);
    if (has_word(key_words(name), kNegations) || (aspect && named && aspect != named)) return {};
    if (aspect) named = aspect;
  }
  if (named) return {named, verdict_in(item)};
  const std::vector<NamedVerdict> found = members(item);
  return found.size() == 1 ? found.front() : NamedVerdict();
}

std::optional<Verdicts> json_verdicts(const Json& json) {
  std::vector<NamedVerdict> found;
  if (json.is_object()) {
    if (const auto verdicts = complete(members(json))) return verdicts;
    std::optional<Verdicts> inside;  // {"verdicts": {…}, "reason": "…"}
    for (const auto& [key, value] : json.object()) {
      if (is_remark(key)) continue;
      const auto verdicts = json_verdicts(value);
      if (verdicts && inside) return std::nullopt;
      if (verdicts) inside = verdicts;
    }
    return inside;
  }
  if (!json.is_array() || json.array().size() != kAspects.size()) return std::nullopt;
  for (size_t i = 0; i < kAspects.size(); ++i) {
    const Json& item = json.array()[i];
    found.push_back(item.is_object() ? verdict_of_item(item) : NamedVerdict(i, verdict_in(item)));
  }
  return complete(found);
}

// Whether a text in JSON, valid or not, holds a verdict, names an aspect, or lists four values that
// may be verdicts. Other JSON, such as {"confidence": 0.9} or a list of references, is prose.
bool concerns_verdicts(std::string_view text) {
  const std::string lower = ascii_lower(text);
  for (const char* word : {"agree", "verdict", "criterion", "aspect", "correct", "helpful",
                           "irrelevan", "extraneous"}) {
    if (lower.find(word) != lower.npos) return true;
  }
  for (size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    const std::string_view before = text.substr(0, colon);
    const std::string_view key = text::strip(before.substr(before.find_last_of("{,:") + 1));
    const auto is_word = [](char c) { return is_ascii_letter(c) || is_ascii_digit(c); };
    const bool is_whole = !key.empty() && is_word(key.front()) == is_word(key.back());
    if (is_whole && aspect_of_key(key)) return true;
  }
  const std::optional<Json> json = text.starts_with('[') ? parsed_json(text) : std::nullopt;
  return json && json->array().size() == kAspects.size() &&
         std::ranges::all_of(json->array(), [](const Json& item) {
           return item.is_object() || verdict_in(item).has_value();
         });
}

// The verdicts of the last value, or of four that hold one each: {"C": "Agree"}, a line each.
std::optional<Verdicts> last_json_verdicts(std::vector<Json> values) {
  if (values.empty()) return std::nullopt;
  if (const auto verdicts = json_verdicts(values.back())) return verdicts;
  return json_verdicts(Json(Json::Array(std::move(values))));
}

}  // namespace

std::optional<Verdicts> read_verdicts(std::string_view reply, VerdictParser parser) {
  return parser == VerdictParser::strict ? strict_verdicts(reply) : published_verdicts(reply);
}

std::optional<Verdicts> strict_verdicts(std::string_view reply) {
  const std::string text = answer_text(reply);
  reply = text;
  if (auto json = answer_json(reply, concerns_verdicts)) {
    return last_json_verdicts(std::move(*json));
  }
  std::vector<Heading> found = headings(reply, Starts::of_lines);
  if (!are_aspects(found)) found = headings(reply, Starts::of_words);
  if (!are_aspects(found)) return std::nullopt;
  Verdicts verdicts{};
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const size_t begin = found[i].at + 1;
    const size_t end = i + 1 < found.size() ? found[i + 1].at : reply.size();
    const std::optional<bool> verdict = verdict_of(reply.substr(begin, end - begin));
    if (!verdict) return std::nullopt;
    verdicts[i] = *verdict;
  }
  return verdicts;
}

namespace {

constexpr std::string_view kAround = " \t\r\n*_`#>'\"[](){}.";

std::optional<Preference> exact_preference(std::string_view text) {
  const size_t begin = text.find_first_not_of(kAround);
  if (begin == text.npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
  constexpr std::string_view kAnswer = "answer ";
  if (ascii_lower(text.substr(0, kAnswer.size())) == kAnswer) text.remove_prefix(kAnswer.size());
  if (text == "A") return Preference::a;
  if (text == "B") return Preference::b;
  if (ascii_lower(text) == "tie") return Preference::tie;
  return std::nullopt;
}

// Of keys and labels that name a preference.
const WordList kPreferred("judge/verdicts/verdicts.tsv", "preferences");

// Whether a text in JSON, valid or not, names a preference.
bool concerns_preference(std::string_view text) {
  return has_word(key_words(text), kPreferred);
}

// The preference of an object by its keys, or of the objects in it; nullopt if two differ. The last
// word of a key names it, or the one before "answer": "better_answer".
std::optional<Preference> json_preference(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  std::vector<Preference> found, inside;
  for (const auto& [key, value] : json.object()) {
    const std::vector<std::string> words = key_words(key);
    const bool is_of_answer = words.size() > 1 && words.back() == "answer" &&
                              is_key(key.substr(0, ascii_lower(key).rfind("answer")), kPreferred);
    const bool is_named = is_of_answer || is_key(key, kPreferred);
    const auto preference =
        value.is_string() ? exact_preference(value.string()) : json_preference(value);
    if (is_named && value.is_string() && preference) found.push_back(*preference);
    if (value.is_object() && preference && !has_word(words, kNegations)) {
      inside.push_back(*preference);
    }
  }
  if (found.empty()) found = inside;
  const bool differ = std::ranges::adjacent_find(found, std::not_equal_to()) != found.end();
  return found.empty() || differ ? std::nullopt : std::optional(found.front());
}

// Whether the text before a colon says that a preference follows: "Final verdict", "A or B", "The
// better answer is", and not "Answer B" or "Grade".
bool is_preference_label(std::string_view before) {
  const size_t begin = before.find_last_of(".,;:!?\n") + 1;
  const std::vector<std::string> words = key_words(before.substr(begin));
  static const WordList kBeside("judge/verdicts/verdicts.tsv", "beside a preference");
  const auto count = [&](const char* letter) { return std::ranges::count(words, letter); };
  return !words.empty() && count("a") == count("b") &&
         (has_word(words, kPreferred) || count("a") > 0) &&
         std::ranges::all_of(words, [&](const std::string& word) {
           return std::ranges::count(kBeside, word) + std::ranges::count(kPreferred, word) > 0;
         });
}

}  // namespace

std::optional<Verdicts> published_verdicts(std::string_view reply) {
  const std::string text = answer_text(reply);
  reply = text;
  if (auto json = answer_json(reply, concerns_verdicts)) {
    return last_json_verdicts(std::move(*json));
  }
  constexpr std::string_view kAgree = "Agree", kDisagree = "Disagree";
  Verdicts verdicts{};
  std::vector<std::optional<size_t>> named;  // the aspect before each verdict
  size_t found = 0, end = 0;                 // of the verdict before
  for (size_t at = 0; at < reply.size();) {
    const bool agrees = reply.substr(at).starts_with(kAgree);
    if (!agrees && !reply.substr(at).starts_with(kDisagree)) {
      ++at;
      continue;
    }
    if (found == verdicts.size()) return std::nullopt;
    std::string_view name = reply.substr(end, at - end);
    const size_t closing = name.find("</");  // of the aspect before, in XML
    if (closing != name.npos) name.remove_prefix(std::min(name.find('>', closing), name.size()));
    named.push_back(aspect_of_key(name));
    verdicts[found++] = agrees;
    at += (agrees ? kAgree : kDisagree).size();
    end = at;
  }
  const bool are_all_named = std::ranges::all_of(named, &std::optional<size_t>::has_value);
  if (found < verdicts.size() || (are_all_named && !std::ranges::is_sorted(named))) {
    return std::nullopt;
  }
  return verdicts;
}

const char* parser_name(VerdictParser parser) {
  return kParserNames[static_cast<size_t>(parser)];
}

VerdictParser parser_of_name(const std::string& name, const std::string& where) {
  const auto found = std::ranges::find(kParserNames, name);
  if (found != kParserNames.end()) {
    return static_cast<VerdictParser>(found - kParserNames.begin());
  }
  throw unknown_name("parser", name, {kParserNames.begin(), kParserNames.end()}, where);
}

Json to_json(const std::optional<Verdicts>& verdicts) {
  if (!verdicts) return Json();
  Json json;
  for (size_t i = 0; i < kAspects.size(); ++i) json[kAspects[i]] = (*verdicts)[i];
  return json;
}

std::optional<Preference> read_preference(std::string_view reply) {
  const std::string text = answer_text(reply);
  reply = text;
  if (const auto values = answer_json(reply, concerns_preference)) {
    return values->empty() ? std::nullopt : json_preference(values->back());
  }
  if (const auto whole = exact_preference(reply)) return whole;
  const size_t end = reply.find_last_not_of(kAround);
  if (end == reply.npos) return std::nullopt;
  const size_t line = reply.rfind('\n', end), colon = reply.rfind(':', end);
  if (line != reply.npos) {
    if (const auto last = exact_preference(reply.substr(line + 1))) return last;
  }
  if (colon == reply.npos || !is_preference_label(reply.substr(0, colon))) return std::nullopt;
  return exact_preference(reply.substr(colon + 1));
}

std::vector<Message> preference_messages(const std::string& prompt, const data::Answer& asked,
                                         const std::string& first, const std::string& second) {
  return {{"system", prompt},
          {"user", passage_and_question(asked) + "Answer A: \"" + first + "\"\nAnswer B: \"" +
                       second + "\"\n"}};
}

const char* preference_name(Preference preference) {
  constexpr const char* kNames[] = {"A", "B", "Tie"};
  return kNames[static_cast<size_t>(preference)];
}

}  // namespace rubric::judge
