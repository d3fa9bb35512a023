#include "eval/estimate/labels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/field_text.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "data/tasks/label_scale.h"
#include "eval/estimate/choose.h"
#include "eval/report/table.h"
#include "stats/bootstrap.h"
#include "text/unicode/unicode.h"

namespace rubric::eval {
namespace {

constexpr const char* kQuestion = "question";

// Labels that belong to no row, or to several, are refused together.
void check_places(const JoinedLabels& labels) {
  std::set<std::string> unknown, ambiguous;
  for (size_t l = 0; l < labels.places.size(); ++l) {
    if (labels.rows[l].empty()) unknown.insert(labels.name(l));
    if (labels.rows[l].size() > 1) ambiguous.insert(labels.name(l));
  }
  const std::string by = join(labels.fields, ", "), file = labels.source.file.string();
  if (!unknown.empty()) {
    throw InputError("labels of " + counted(std::ssize(unknown), "answer") + " not in " +
                         labels.all.file.string() + ": " +
                         data::ids_text({unknown.begin(), unknown.end()}),
                     file,
                     "give labels the ids of their answers" +
                         (by.empty() ? "" : ", and the same " + by) + "; or leave them out");
  }
  if (!ambiguous.empty()) {
    throw InputError(
        "labels that may belong to several answers: " +
            data::ids_text({ambiguous.begin(), ambiguous.end()}),
        file,
        "give labels the field that tells the answers apart, such as constituent, or that of "
        "--system or --group");
  }
}

// In quotation marks, and its beginning alone if it is long.
std::string beginning_of(const std::string& text) {
  constexpr size_t kMost = 60;
  const std::u32string characters = decode_utf8(text);
  return characters.size() <= kMost ? json_quote(text)
                                    : json_quote(encode_utf8(characters.substr(0, kMost)) + "…");
}

// The texts beside a label and those of its answer, where they are others.
struct OtherTexts {
  size_t label;
  std::string_view field;
  const std::string &beside, &of_answer;
};

std::optional<OtherTexts> other_texts(const JoinedLabels& labels, size_t label) {
  const Json& row = labels.source.rows[labels.places[label]];
  const Json& answer = labels.all.rows[labels.rows[label].front()];
  for (const char* const field : {kQuestion, "candidate", "reference"}) {
    const Json *beside = row.find(field), *of_answer = answer.find(field);
    if (data::is_missing(beside) || data::is_missing(of_answer)) continue;
    if (!beside->is_string() || !of_answer->is_string()) continue;
    // Programs for tables change blanks and ends of lines.
    if (text::words_as_written(beside->string()) == text::words_as_written(of_answer->string())) {
      continue;
    }
    return OtherTexts{label, field, beside->string(), of_answer->string()};
  }
  return std::nullopt;
}

// A sheet whose column of ids was shifted has the label of another answer, whose texts still stand
// beside it. But programs for tables change short texts, too: 007 into 7, March 5 into 5-Mar.
void check_texts(const JoinedLabels& labels, std::vector<std::string>& notes) {
  constexpr size_t kMostChanged = 10;  // one in so many labels
  std::vector<OtherTexts> others;
  for (size_t l = 0; l < labels.places.size(); ++l) {
    if (const auto found = other_texts(labels, l)) others.push_back(*found);
  }
  if (others.empty()) return;
  // No program changes questions: of those the first is what the message tells.
  auto listed = std::ranges::find(others, kQuestion, &OtherTexts::field);
  const bool is_question = listed != others.end();
  if (!is_question) listed = others.begin();
  const std::string field(listed->field), name = labels.name(listed->label);
  const std::string what = "stands beside the " + field + own_field(field) + " " +
                           beginning_of(listed->beside) + ", but in " + labels.all.file.string() +
                           " the " + field + " of " + name + " is " +
                           beginning_of(listed->of_answer);
  const std::string& where = labels.source.places[labels.places[listed->label]];
  if (!is_question && others.size() * kMostChanged <= labels.places.size()) {
    notes.push_back(counted(std::ssize(others), "label") + " with other texts than the " +
                    (others.size() == 1 ? "answer" : "answers") + " of the same id: that of " +
                    name + " (" + where + ") " + what);
    return;
  }
  throw InputError("the label of " + name + " " + what, where,
                   "give every label the id of the answer beside it: rows or a column may have "
                   "been moved; or, if a program for tables changed texts, leave the column " +
                       field + " out of the labels");
}

}  // namespace

void check_rows(const JoinedLabels& labels, std::vector<std::string>& notes) {
  check_places(labels);
  check_texts(labels, notes);
}

std::vector<std::string> warn_of_far_labels(const JoinedLabels& labels,
                                            std::span<const double> values) {
  if (labels.request.scale || labels.request.human == kProbability) return {};
  return data::warn_of_stray_labels(
      values, [&](size_t label) { return labels.name(label); },
      [&](size_t label) { return labels.source.places[labels.places[label]]; }, "--scale ");
}

void note_unfilled(const JoinedLabels& labels, std::vector<std::string>& notes) {
  const int64_t without = labels.unfilled();
  if (!labels.has_own_file() || without == 0) return;
  // A sheet of `rubric choose` is a draw: rows that people leave out are often the hard ones.
  const bool is_draw = data::has_values(labels.source, kProbability);
  const std::string rows = is_draw ? std::to_string(without) + " of " +
                                         std::to_string(labels.source.rows.size()) + " rows"
                                   : counted(without, "row");
  notes.push_back(
      rows + " of " + labels.source.file.string() + (without == 1 ? " has" : " have") +
      " no label" +
      (is_draw ? ": intervals are right only if chance decided which rows these are" : ""));
}

std::optional<double> number_in(const Json& value) {
  if (value.is_number()) return value.number();
  return value.is_string() ? parse_cell(value.string()) : std::nullopt;
}

namespace {

// What the sheet's rows stand for by their probabilities, by row of `all`; empty where one cannot
// be read.
std::map<size_t, double> answers_stood_for(const JoinedLabels& labels) {
  const auto name = [&](const data::ScoredSource& source, size_t row) {
    std::string joined = source.ids[row];
    for (const std::string& field : labels.fields) {
      joined += "\n" + data::name_of(source.rows[row].find(field));
    }
    return joined;
  };
  std::unordered_set<std::string> ids;
  std::map<std::string, double> by_name;  // several labels of an answer are one row
  for (size_t i = 0; i < labels.source.rows.size(); ++i) {
    const Json* const value = labels.source.rows[i].find(kProbability);
    const std::optional<double> probability = value == nullptr ? std::nullopt : number_in(*value);
    if (!probability || !(*probability > 0)) return {};
    ids.insert(labels.source.ids[i]);
    by_name[name(labels.source, i)] = 1 / *probability;
  }
  std::map<size_t, double> by_row;
  for (size_t row = 0; row < labels.all.rows.size(); ++row) {
    if (!ids.contains(labels.all.ids[row])) continue;
    const auto found = by_name.find(name(labels.all, row));
    if (found != by_name.end()) by_row[row] = found->second;
  }
  return by_row;
}

}  // namespace

// What is drawn is a question, or a row where the sheet has only some rows of a question. What the
// sheet stands for has the error of their deviations from what each stands for in the mean.
void note_missing_rows(const JoinedLabels& labels, LabelledAnswers& answers) {
  constexpr double kErrors = 4, kRounding = 0.02;
  if (!labels.has_own_file() || !data::has_values(labels.source, kStratum)) return;
  const std::map<size_t, double> sheet = answers_stood_for(labels);
  if (sheet.empty()) return;
  struct Drawn {
    int64_t rows = 0, of_all = 0;
    double stand_for = 0;
  };
  std::unordered_map<uint32_t, Drawn> questions;
  std::set<uint32_t> systems;
  for (const auto& [row, stands_for] : sheet) {
    Drawn& drawn = questions[answers.questions.of[row]];
    ++drawn.rows;
    drawn.stand_for += stands_for;
    systems.insert(answers.systems[row]);
  }
  // A system that the sheet has no row of was added later, or has none by chance.
  int64_t least = 0;
  const auto most = std::ssize(labels.all.rows);
  for (size_t row = 0; row < labels.all.rows.size(); ++row) {
    if (!systems.contains(answers.systems[row])) continue;
    ++least;
    const auto found = questions.find(answers.questions.of[row]);
    if (found != questions.end()) ++found->second.of_all;
  }
  const bool has_whole_questions = std::ranges::all_of(
      questions, [](const auto& of) { return of.second.rows == of.second.of_all; });
  stats::Moments drawn;
  if (has_whole_questions) {
    for (const auto& [question, of] : questions) drawn.add(of.stand_for);
  } else {
    for (const auto& [row, stands_for] : sheet) drawn.add(stands_for);
  }
  const double sum = drawn.mean * static_cast<double>(drawn.n);
  const double nearest = std::clamp(sum, static_cast<double>(least), static_cast<double>(most));
  if (std::abs(sum - nearest) <= kErrors * std::sqrt(drawn.squares) + kRounding * nearest) return;
  answers.notes.push_back(
      "the rows of " + labels.source.file.string() + " stand for " + format_exact(std::round(sum)) +
      " answers by their probabilities, and there are " +
      (sum < nearest && least < most ? "at least " : "") + format_exact(nearest) +
      (sum < nearest ? ": if rows were taken out, intervals are right only if chance decided which"
                     : ": leave the probabilities as `rubric choose` wrote them"));
}

// Labels of a sheet whose columns of the draw are not named are taken for drawn alike.
void note_unread(const JoinedLabels& labels, const std::string& column, const std::string& option,
                 const std::string& given, std::vector<std::string>& notes) {
  if (!given.empty() || !labels.has_own_file()) return;
  std::set<std::string> values;
  for (const size_t place : labels.places) {
    values.insert(data::name_of(labels.source.rows[place].find(column)));
    if (values.size() > 1) break;
  }
  if (values.size() < 2) return;
  notes.push_back("the column " + column + " of " + labels.source.file.string() +
                  " was not read: give " + option + " " + column +
                  " if it says how labels were drawn");
}

}  // namespace rubric::eval
