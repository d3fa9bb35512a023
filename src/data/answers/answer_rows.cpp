#include "data/answers/answer_rows.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/answers/mocha.h"
#include "data/answers/reference_separator.h"
#include "data/rows/copied_rows.h"
#include "data/rows/rows.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

// Reads a text or a list of texts.
std::vector<std::string> references_of(const Json& value, const std::string& name,
                                       const std::string& where) {
  if (const auto texts = scalar_texts(value)) {
    return texts->empty() ? std::vector<std::string>{""} : *texts;
  }
  const Json* const first = value.is_array() ? &value.array().front() : &value;
  std::string to_do = "write it as text; leave rows without a reference out";
  if (first->is_object()) {
    std::vector<std::string> paths;
    for (const auto& member : first->object()) paths.push_back(name + "." + member.first);
    to_do = "name the field of its texts: --field reference=" +
            join_some(paths, " or --field reference=");
  }
  throw InputError("the field \"" + name + "\" must be a text or a list of texts", where, to_do);
}

// The item of a list of one, as programs log several responses to a question; null for an empty
// list.
const Json* only_item(const Json* value) {
  while (value != nullptr && value->is_array() && value->array().size() < 2) {
    value = value->array().empty() ? nullptr : &value->array().front();
  }
  return value;
}

// A field that no metric needs: "" where it is missing.
std::string optional_text(const Json& row, const std::string& ours, const FieldNames& names,
                          const std::string& where, MissingValues& missing) {
  const std::string name = field_name(names, ours);
  const FieldValue value = find_field(row, name);
  if (value == nullptr || value->is_null()) return "";
  const Json* const item = only_item(value.get());
  const bool is_text_of_answer = ours == "passage" || ours == "question";
  if (const auto text = item == nullptr ? std::nullopt : scalar_text(*item)) {
    return is_text_of_answer ? *text : missing.add_name(name, *text, ours == "id", where);
  }
  const bool is_read = !is_missing(value) && !is_text_of_answer;
  missing.add_non_text(name, *value, is_read, where);
  return is_read ? value->dump() : "";
}

std::string candidate_of(const Json& value, const std::string& name, const std::string& where) {
  if (const std::optional<std::string> text = scalar_text(value)) return *text;
  const std::string field = "the field " + json_quote(name);
  if (!value.is_array()) {
    throw InputError(field + " must be a text, it is " + value.kind(), where,
                     "write it as text; an empty answer is \"\"");
  }
  throw InputError(
      field + " must be a text, it is a list of " + std::to_string(value.array().size()), where,
      scalar_texts(value)
          ? "name the one to read, --field candidate=" + name + ".0, or give each a row of its own"
          : "give a task that generates text: likelihoods of choices are no answers");
}

// The names of the members from which an answer is read.
std::set<std::string> row_members(const FieldNames& names) {
  std::set<std::string> members;
  for (const std::string& field : answer_fields()) members.insert(field_name(names, field));
  return members;
}

InputError name_taken(const std::string& name, const FieldNames& names, const std::string& where) {
  const std::string problem = "the field " + json_quote(name) + " would give way to ";
  const auto renamed = names.find(name);
  if (renamed != names.end()) {
    return InputError(problem + json_quote(renamed->second) + ", which --field puts in its place",
                      where, "rename it");
  }
  return InputError(problem + "the " + name + " that the instance has in MOCHA's format", where,
                    "rename it: there, constituent and id are the instance's keys, the passage is "
                    "\"context\" and the source \"metadata.source\"");
}

// Adds the members of `whole` that are not in `read`.
void add_other_members(const Json& whole, const std::set<std::string>& read,
                       const FieldNames& names, const std::string& where, Json& row) {
  for (const auto& [name, value] : whole.object()) {
    if (read.contains(name)) continue;
    const Json* const there = row.find(name);
    if (there == nullptr && !names.contains(name)) {
      row[name] = value;
    } else if (there == nullptr || there->dump() != value.dump()) {
      throw name_taken(name, names, where);
    }
  }
}

// Lists and objects that are no text of the answer stay in its row as they are.
void keep_non_texts(const Json& whole, const FieldNames& names, Json& row) {
  for (const char* const ours : {"id", "constituent", "source", "passage", "question"}) {
    const FieldValue value = find_field(whole, field_name(names, ours));
    if (value && (value->is_array() || value->is_object())) row[ours] = *value;
  }
}

// Where some rows have a label, the others lack one.
void require_all_labels(const std::string& name, const std::vector<Json>& labels,
                        MissingValues& missing, AnswerRows& rows) {
  const auto has_label = [](const Answer& answer) { return answer.score.has_value(); };
  if (std::ranges::none_of(rows.answers, has_label)) return;
  AnswerRows kept;
  for (size_t i = 0; i < rows.places.size(); ++i) {
    if (!has_label(rows.answers[i]) &&
        !missing.keeps(MissingValues::kLabel, name, rows.places[i], &labels[i])) {
      continue;
    }
    kept.answers.push_back(std::move(rows.answers[i]));
    kept.rows.push_back(std::move(rows.rows[i]));
    kept.places.push_back(std::move(rows.places[i]));
  }
  rows = std::move(kept);
}

// The answer of a row. Throws InputError for the two of a minimal pair.
Answer only_answer(std::vector<Answer>& of_row, const Json& row, const FieldNames& names,
                   const std::string& where) {
  if (of_row.size() > 1) require_fields(row, names, {"candidate"}, where);
  return std::move(of_row.front());
}

}  // namespace

std::optional<Answer> row_answer(const Json& row, const FieldNames& names, int64_t number,
                                 const std::string& where, MissingValues& missing) {
  const std::string reference = field_name(names, "reference"),
                    candidate = field_name(names, "candidate");
  const FieldValue references = find_field(row, reference);
  const FieldValue candidates = find_field(row, candidate);
  const Json* const response = only_item(candidates.get());
  // Programs log an answer that they did not get as "".
  const bool has_no_answer = is_missing(response) && has_failed(row);
  for (const auto& [lacks, field, name] :
       {std::tuple(missing.lacks(references.get()), MissingValues::kReference, reference),
        {missing.lacks(response) || has_no_answer, MissingValues::kCandidate, candidate}}) {
    if (lacks && !missing.keeps(field, name, where)) return std::nullopt;
  }
  const auto text = [&](const char* ours) {
    return optional_text(row, ours, names, where, missing);
  };
  Answer answer;
  answer.id = text("id");
  answer.is_numbered = answer.id.empty();
  if (answer.is_numbered) answer.id = std::to_string(number);
  answer.constituent = text("constituent");
  answer.source = text("source");
  answer.passage = text("passage");
  answer.question = text("question");
  // A blank cell that is read all the same keeps its blanks: metrics of characters count them.
  answer.references = {""};
  if (references != nullptr && !references->is_null()) {
    answer.references = references_of(*references, reference, where);
  }
  if (response != nullptr && !response->is_null()) {
    answer.candidate = candidate_of(*response, candidate, where);
  }
  return answer;
}

Answer row_answer(const Json& row, const FieldNames& names, int64_t number,
                  const std::string& where) {
  require_fields(row, names, {"reference", "candidate"}, where);
  MissingValues missing;
  Answer answer = *row_answer(row, names, number, where, missing);  // the rule drops none
  missing.require_texts();
  return answer;
}

std::optional<double> row_label(const Json& row, const FieldNames& names,
                                const std::string& where) {
  const std::string name = field_name(names, "score");
  const FieldValue found = find_field(row, name);
  if (lacks_label(found.get())) return std::nullopt;
  return require_value(*found, "the field " + json_quote(name), where,
                       "where the command takes --field, name the field of the labels: --field "
                       "score=…");
}

Json answer_row(const Answer& answer) {
  Json row{Json::Object()};
  row["id"] = answer.id;
  for (const auto& [name, text] : {std::pair("constituent", &answer.constituent),
                                   {"source", &answer.source},
                                   {"passage", &answer.passage},
                                   {"question", &answer.question}}) {
    if (!text->empty()) row[name] = *text;
  }
  // "No answer" is an empty list: in a table an empty cell would be a missing reference.
  const std::vector<std::string>& references = answer.references;
  Json::Array texts(references.begin(), references.end());
  if (references == std::vector<std::string>{""}) texts.clear();
  row["reference"] = texts.size() == 1 ? texts.front() : Json(std::move(texts));
  row["candidate"] = answer.candidate;
  if (answer.score) row["score"] = *answer.score;
  return row;
}

std::vector<Answer> read_answers(const std::filesystem::path& file, InputFormat format,
                                 const FieldNames& names, const AnswerOptions& options) {
  std::vector<Answer> answers;
  CopiedRows copies;
  visit_answers(file, format, names, options,
                [&](std::vector<Answer> of_row, const Json& row, const FieldNames& all,
                    const std::string& where) {
                  if (has_rows(format)) copies.add(row, where);
                  answers.push_back(only_answer(of_row, row, all, where));
                  return true;
                });
  if (answers.empty()) throw no_rows(file);
  warn_of_copies(copies.places(), kCopiesAreRead);
  return answers;
}

AnswerRows read_answers_with_rows(const std::filesystem::path& file, InputFormat format,
                                  const FieldNames& names, const AnswerOptions& options) {
  const std::set<std::string> of_instance = {"context", "question", "reference", "candidate",
                                             "score"};
  AnswerRows result;
  std::string label;
  std::vector<Json> labels;  // as the file has them
  visit_answers(file, format, names, options,
                [&](std::vector<Answer> of_row, const Json& whole, const FieldNames& all,
                    const std::string& where) {
                  Answer answer = only_answer(of_row, whole, all, where);
                  Json row = answer_row(answer);
                  add_other_members(whole,
                                    format == InputFormat::kMocha ? of_instance : row_members(all),
                                    names, where, row);
                  keep_non_texts(whole, all, row);
                  label = field_name(all, "score");
                  const FieldValue value = find_field(whole, label);
                  labels.push_back(value == nullptr ? Json() : *value);
                  result.answers.push_back(std::move(answer));
                  result.rows.push_back(std::move(row));
                  result.places.push_back(where);
                  return true;
                });
  if (has_rows(format) && options.missing != Missing::empty) {
    MissingValues missing(options.missing, is_table(format));
    require_all_labels(label, labels, missing, result);
    missing.warn();
  }
  if (result.rows.empty()) throw no_rows(file);
  return result;
}

void warn_of_stray_scores(std::span<const Answer> answers, const LabelText& place,
                          const std::string& option) {
  std::vector<double> scores;
  std::vector<size_t> scored;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].score) continue;
    scores.push_back(*answers[i].score);
    scored.push_back(i);
  }
  warn_of_stray_labels(
      scores, [&](size_t label) { return names_text({record_name(answers[scored[label]])}); },
      [&](size_t label) { return place(scored[label]); }, option);
}

AnswerPair row_pair(const Json& row, FieldNames names, int64_t number, const std::string& where,
                    MissingValues& missing) {
  const auto candidate = [&](const std::string& which) {
    names["candidate"] = "candidate" + which;
    require_fields(row, names, {"reference", "candidate"}, where);
    Answer answer = *row_answer(row, names, number, where, missing);
    answer.score = row_label(row, {{"score", "score" + which}}, where);
    return answer;
  };
  AnswerPair pair{candidate("1"), candidate("2")};
  check_pair(pair, where);
  return pair;
}

bool is_row_pair(const Json& row, const FieldNames& names) {
  return row.find("candidate1") != nullptr && row.find(field_name(names, "candidate")) == nullptr;
}

std::vector<AnswerPair> read_minimal_pairs(const std::filesystem::path& file) {
  const InputFormat format = rows_or_mocha(file);
  if (format == InputFormat::kMocha) return read_mocha_pairs(file);
  std::vector<AnswerPair> pairs;
  MissingValues missing(Missing::error);
  const auto visit = [&](const Json& row, const std::string& where) {
    for (const char* field : {"candidate1", "candidate2"}) {
      if (row.find(field) != nullptr) continue;
      throw InputError("the field " + json_quote(field) + " is missing", where,
                       "a minimal pair has candidate1, the better one, and candidate2");
    }
    pairs.push_back(row_pair(row, {}, std::ssize(pairs) + 1, where, missing));
    return true;
  };
  visit_rows(file, format, visit, is_text_field);
  missing.warn();
  if (pairs.empty()) throw no_rows(file);
  return pairs;
}

}  // namespace rubric::data
