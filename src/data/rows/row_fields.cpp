#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/answers/usual_names.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

// What people, and `score --verdict`, write for 1 and 0.
constexpr std::pair<std::string_view, std::string_view> kLabelWords[] = {
    {"true", "false"}, {"yes", "no"}, {"right", "wrong"}, {"correct", "incorrect"}};

// What programs write for a number that is missing.
constexpr std::string_view kNumberMissing[] = {"na",   "n/a",  "n.a.", "#n/a",    "<na>", "nan",
                                               "none", "null", "nil",  "missing", "."};

// What people write for a judgement that they did not give.
constexpr std::string_view kNotJudged[] = {"-",      "--",       "\u2013",  "\u2014",     "?",
                                           "??",     "???",      "skip",    "skipped",    "unknown",
                                           "unsure", "not sure", "unclear", "don't know", "idk"};

std::optional<double> as_number(const Json& value) {
  if (value.is_bool()) return value.boolean() ? 1 : 0;
  if (value.is_number()) return value.number();
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = text::strip(value.string());
  constexpr size_t kLongestWord = 9;
  const std::string word = text.size() > kLongestWord ? "" : ascii_lower(text);
  for (const auto& [positive, negative] : kLabelWords) {
    if (word == positive) return 1;
    if (word == negative) return 0;
  }
  return parse_cell(text);
}

// What a text that is no number may be meant for: "write 85 for 85%". "": it does not say.
std::string meant_number(std::string_view text) {
  text = trim(text);
  const std::string written(text);
  if (text.ends_with('%') && parse_cell(text.substr(0, text.size() - 1))) {
    return "write " + written.substr(0, text.size() - 1) + " for " + written;
  }
  std::string point = written;
  std::ranges::replace(point, ',', '.');
  if (point != written && parse_cell(point)) {
    return "write " + point + " if " + written + " has a decimal comma";
  }
  if (written == "l" || written == "I" || written == "|") return "is it the digit 1?";
  if (written == "O" || written == "o") return "is it the digit 0?";
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos && parse_count(text.substr(0, slash)) &&
      parse_count(text.substr(slash + 1))) {
    return "write " + written.substr(0, slash) + " for " + written;
  }
  return "";
}

}  // namespace

std::string field_name(const FieldNames& names, const std::string& ours) {
  const auto found = names.find(ours);
  return found == names.end() ? ours : found->second;
}

namespace {

// A value of the row itself: nobody owns it here.
FieldValue in_row(const Json* value) {
  return {FieldValue(), value};
}

FieldValue find_path(const Json& value, std::string_view path);

// What the path leads to in each item of a list, as a list; lists of the items come one after
// another. Null if an item has nothing there.
FieldValue find_in_items(const Json::Array& items, std::string_view path) {
  Json::Array found;
  for (const Json& item : items) {
    const FieldValue value = find_path(item, path);
    if (!value) return nullptr;
    if (value->is_array()) {
      found.insert(found.end(), value->array().begin(), value->array().end());
    } else {
      found.push_back(*value);
    }
  }
  return std::make_shared<const Json>(std::move(found));
}

FieldValue find_path(const Json& value, std::string_view path) {
  const Json* found = &value;
  for (size_t begin = 0; found != nullptr && begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (found->is_array()) {
      const std::optional<int64_t> index = parse_count(part);
      if (!index && !part.empty()) return find_in_items(found->array(), path.substr(begin));
      const bool is_in = index && *index < std::ssize(found->array());
      found = is_in ? &found->array()[static_cast<size_t>(*index)] : nullptr;
    } else {
      found = found->find(part);
    }
    begin = end + 1;
  }
  return in_row(found);
}

}  // namespace

FieldValue find_field(const Json& row, const std::string& name) {
  const Json* const member = row.find(name);
  return member != nullptr ? in_row(member) : find_path(row, name);
}

std::optional<std::string> scalar_text(const Json& value) {
  if (value.is_string()) return value.string();
  if (value.is_number()) return value.number_text();
  if (value.is_bool()) return value.boolean() ? "true" : "false";
  return std::nullopt;
}

std::optional<std::vector<std::string>> scalar_texts(const Json& value) {
  if (const std::optional<std::string> text = scalar_text(value)) return {{*text}};
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const Json& item : value.array()) {
    const std::optional<std::string> text = scalar_text(item);
    if (!text && !item.is_null()) return std::nullopt;
    if (text) texts.push_back(*text);
  }
  return texts;
}

namespace {

// The members of a row and, of objects in it, the paths to theirs: "vars.expected".
void add_paths(const Json::Object& members, const std::string& before, int levels,
               std::vector<std::string>& paths) {
  for (const auto& [name, value] : members) {
    const Json* inner = &value;
    if (value.is_array() && !value.array().empty()) inner = &value.array().front();
    if (inner->is_object() && !inner->object().empty() && levels > 1) {
      add_paths(inner->object(), before + name + ".", levels - 1, paths);
    } else {
      paths.push_back(before + name);
    }
  }
}

// Whether the path leads through what is named after the other of candidate and reference:
// "reference_outputs.answer" is no candidate, "outputs.answer" no reference.
bool is_of_other(std::string_view path, std::string_view ours) {
  constexpr std::string_view kReference[] = {"ref", "gold", "expect", "truth", "target", "ideal"},
                             kCandidate[] = {"output", "pred", "model", "response", "result"};
  const std::string before = ascii_lower(path.substr(0, path.rfind('.') + 1));
  const auto holds = [&](std::string_view word) { return before.find(word) != before.npos; };
  const bool is_reference = std::ranges::any_of(kReference, holds);
  if (ours == "candidate") return is_reference;
  return ours == "reference" && !is_reference && !holds("example") &&
         std::ranges::any_of(kCandidate, holds);
}

// Takes the first path whose last name is a usual one of our field; "" if there is none.
std::string take_likely_path(std::vector<std::string>& paths, const std::string& ours) {
  const auto found = std::ranges::find_if(paths, [&](const std::string& path) {
    return path != ours && is_usual_name(ours, path.substr(path.rfind('.') + 1)) &&
           !is_of_other(path, ours);
  });
  if (found == paths.end()) return "";
  std::string taken = std::move(*found);
  paths.erase(found);
  return taken;
}

}  // namespace

void require_fields(const Json& row, const FieldNames& names, const std::vector<std::string>& ours,
                    const std::string& where) {
  const auto is_there = [&](const std::string& field) {
    return find_field(row, field_name(names, field)) != nullptr;
  };
  if (std::ranges::all_of(ours, is_there)) return;
  constexpr int kLevels = 4;
  std::vector<std::string> known, quoted, missing, options;
  add_paths(row.object(), "", kLevels, known);
  for (const std::string& name : known) quoted.push_back(json_quote(name));
  for (const std::string& field : ours) {
    if (is_there(field)) continue;
    const std::string theirs = field_name(names, field), near = nearest_name(theirs, known),
                      nearest = near.empty() ? take_likely_path(known, field) : near;
    missing.push_back(json_quote(theirs));
    options.push_back("--field " + shell_word(field + "=" + (nearest.empty() ? "…" : nearest)));
  }
  const bool is_one = missing.size() == 1;
  const std::string them = is_one ? "it" : "them";
  throw InputError((is_one ? "the field " : "the fields ") + join(missing, ", ") +
                       (is_one ? " is missing" : " are missing"),
                   where,
                   "rename what holds " + them + " or, where the command takes --field, name " +
                       them + ": " + join(options, " ") +
                       "; the row's fields (of a table: the names in its first line) are " +
                       join_some(quoted));
}

std::string optional_text(const Json& row, const std::string& name, const std::string& where) {
  const FieldValue value = find_field(row, name);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_number()) return value->number_text();
  if (!value->is_string()) {
    throw InputError("the field \"" + name + "\" must be a string, it is " + value->kind(), where,
                     "write it as a text, or leave it out");
  }
  return value->string();
}

std::string optional_name(const Json& row, const std::string& name, const std::string& where) {
  return std::string(plain_name(optional_text(row, name, where)));
}

double require_computable(double value, const std::string& what, const std::string& where) {
  if (std::abs(value) < kLargestValue) return value;
  throw InputError(what + " is " + Json(value).dump() + ", too large to compute with", where,
                   "give values below 1e70; leave out a row whose value stands for a missing one");
}

std::string required_text(const Json& row, const std::string& field, const std::string& where,
                          const std::string& what_to_do) {
  std::string text = optional_text(row, field, where);
  if (!text::strip(text).empty()) return text;
  throw InputError("the field " + json_quote(field) + " is missing or empty", where, what_to_do);
}

std::vector<std::string> required_texts(const Json& row, const std::string& field,
                                        const std::string& where) {
  std::vector<std::string> texts;
  for (const Json& text : row.require_array(field, where)) {
    if (!text.is_string()) {
      throw InputError("the field " + json_quote(field) + " lists " + text.kind(), where,
                       "give a list of texts");
    }
    texts.push_back(text.string());
  }
  return texts;
}

std::string trimmed_text(const Json& row, const std::string& field, const std::string& where) {
  return std::string(trim(required_text(row, field, where, "give a text, or leave the row out")));
}

bool is_missing(const Json* value) {
  return value == nullptr || value->is_null() ||
         (value->is_string() && trim(value->string()).empty()) ||
         (value->is_array() && value->array().empty()) ||
         (value->is_object() && value->object().empty());
}

bool has_failed(const Json& row) {
  const Json* const error = row.find("error");
  if (is_missing(error)) return false;
  if (error->is_string()) {
    constexpr std::string_view kNoErrors[] = {"none", "no",  "null", "nil",      "nan", "false",
                                              "0",    "n/a", "na",   "no error", "ok",  "-"};
    return std::ranges::count(kNoErrors, ascii_lower(trim(error->string()))) == 0;
  }
  return error->is_object() || (error->is_bool() && error->boolean());
}

namespace {

// Whether it is a text that is one of these words, in any case of letters.
bool is_one_of(const Json& value, std::span<const std::string_view> words) {
  if (!value.is_string()) return false;
  constexpr size_t kLongest = 10;
  const std::string_view text = text::strip(value.string());
  return text.size() <= kLongest && std::ranges::count(words, ascii_lower(text)) > 0;
}

}  // namespace

bool is_missing_number(const Json* value) {
  return is_missing(value) || is_one_of(*value, kNumberMissing);
}

bool lacks_label(const Json* value) {
  return is_missing_number(value) || is_one_of(*value, kNotJudged);
}

std::vector<std::string> words_of_no_label() {
  std::vector<std::string> words(std::begin(kNumberMissing), std::end(kNumberMissing));
  words.insert(words.end(), std::begin(kNotJudged), std::end(kNotJudged));
  return words;
}

std::vector<std::string> label_words() {
  std::vector<std::string> words;
  for (const auto& [positive, negative] : kLabelWords) {
    words.emplace_back(positive);
    words.emplace_back(negative);
  }
  return words;
}

bool is_value(const Json& value) {
  return as_number(value).has_value();
}

double require_value(const Json& value, const std::string& what, const std::string& where,
                     const std::string& advice) {
  const std::optional<double> number = as_number(value);
  if (number) return require_computable(*number, what, where);
  std::vector<std::string> words;
  for (const auto& [positive, negative] : kLabelWords) {
    words.push_back(std::string(positive) + "/" + std::string(negative));
  }
  const std::string meant = value.is_string() ? meant_number(value.string()) : "";
  throw InputError(what + " must be a number, true or false, it is " +
                       (value.is_string() ? json_quote(value.string()) : value.kind()),
                   where,
                   (meant.empty() ? "" : meant + "; ") + "write it as a number, or as one of " +
                       join(words) + ", which are read as 1/0" +
                       (advice.empty() ? "" : "; " + advice));
}

void LabelWords::add(const Json& label, double value, const std::string& where) {
  const bool is_word = label.is_bool() || (label.is_string() && !parse_cell(trim(label.string())));
  if (is_word) {
    if (word_.empty()) word_ = where;
  } else if (value != 0 && value != 1 && number_.empty()) {
    number_ = where;
    value_ = value;
  }
  if (word_.empty() || number_.empty()) return;
  throw InputError("a label is a word (" + word_ + "), which stands for 1 or 0, and another " +
                       Json(value_).dump() + " (" + number_ + ")",
                   where, "give all labels as numbers, or all as words");
}

void check_scores_member(const Json& row, const std::string& member, const std::string& where) {
  const Json* value = row.find(member);
  if (is_missing(value) || value->is_object()) return;
  throw InputError("the field \"" + member + "\" must be an object, it is " + value->kind(), where,
                   "rename it: score adds to the object of this name");
}

void require_no_field(const Json& row, const std::string& name, const std::string& where) {
  if (row.find(name) == nullptr) return;
  throw InputError("the row has a field " + json_quote(name) + " already", where,
                   "take it out of the rows");
}

void add_row_scores(Json& row, const std::string& member, const std::vector<std::string>& names,
                    const std::vector<double>& values) {
  Json& scores = row[member];
  if (!scores.is_object()) scores = Json(Json::Object());
  for (size_t i = 0; i < names.size(); ++i) scores[names[i]] = values[i];
}

Json other_scores(const Json& scores, const std::vector<std::string>& names) {
  Json::Object kept;
  for (const auto& [name, score] : scores.object()) {
    if (std::ranges::find(names, name) == names.end()) kept.emplace_back(name, score);
  }
  return kept;
}

}  // namespace rubric::data
