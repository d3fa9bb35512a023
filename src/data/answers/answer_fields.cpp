#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/field_text.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/mocha.h"
#include "data/answers/reference_separator.h"
#include "data/answers/usual_names.h"
#include "data/rows/list_cell.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

constexpr const char* kTexts[] = {"reference", "candidate"};

// Called with the rows that tell the names, before the first is visited.
using RowsBegin = std::function<void(std::span<const Json> rows, const FieldNames& names)>;

// Reads the rows that tell the names of the fields, all or the first, and then one after another.
class NamedRowReader {
 public:
  NamedRowReader(FieldNames names, InputFormat format, Reads reads, int64_t first_rows,
                 const NamedRowVisitor& visit, RowsBegin on_begin = nullptr)
      : names_(std::move(names)),
        format_(format),
        reads_(reads),
        first_rows_(first_rows),
        visit_(visit),
        on_begin_(std::move(on_begin)) {}

  // False: no more rows are to be read.
  bool add(Json row, const std::string& where) {
    if (is_begun_) return visit_(std::move(row), names_, where);
    rows_.push_back(std::move(row));
    places_.push_back(where);
    return first_rows_ == 0 || std::ssize(rows_) < first_rows_ || begin();
  }

  // Visits these rows, if there are any; at the end of the file.
  bool begin() {
    if (is_begun_ || rows_.empty()) return true;
    is_begun_ = true;
    names_ = complete_names(rows_, std::move(names_), places_.front(), reads_);
    set_field_names(names_, is_table(format_));
    if (on_begin_) on_begin_(rows_, names_);
    std::vector<Json> rows = std::move(rows_);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!visit_(std::move(rows[i]), names_, places_[i])) return false;
    }
    return true;
  }

 private:
  FieldNames names_;  // given, then all
  InputFormat format_;
  Reads reads_;
  int64_t first_rows_;  // 0: all
  const NamedRowVisitor& visit_;
  RowsBegin on_begin_;
  std::vector<Json> rows_;  // that tell the names, until they are visited
  std::vector<std::string> places_;
  bool is_begun_ = false;
};

// Makes rows ready for row_answer().
class AnswerRowReader {
 public:
  AnswerRowReader(InputFormat format, const FieldNames& given, bool needs_label)
      : format_(format), given_(given), needs_label_(needs_label) {}

  // Notes which fields the rows have.
  void begin(std::span<const Json> rows, const FieldNames& names) {
    const std::string label = field_name(names, "score");
    const Json* last = nullptr;  // with both texts
    for (const Json& row : rows) {
      has_labels_ = has_labels_ || find_field(row, label) != nullptr;
      bool has_both = true;
      for (const char* const ours : kTexts) {
        const bool has_text = find_field(row, field_name(names, ours)) != nullptr;
        if (has_text) found_.insert(ours);
        has_both &= has_text;
      }
      if (!has_both || (last != nullptr && have_same_members(*last, row))) continue;
      last = &row;
      for (const auto& member : row.object()) known_.insert(member.first);
    }
  }

  // Whether some row has the field of labels.
  bool has_labels() const { return has_labels_; }

  void read(Json& row, const FieldNames& names, const std::string& where) {
    std::vector<std::string> needed;
    for (const auto& [ours, theirs] : given_) {
      const bool may_be_missing = ours == "reference" || ours == "candidate";
      if (!may_be_missing) needed.push_back(ours);
    }
    if (!is_row_pair(row, names)) add_needed_texts(row, names, needed);
    require_fields(row, names, needed, where);
    const bool is_sample = is_lm_eval_sample(row);
    if (is_sample) add_sample_key(row, names);
    if (!is_table(format_) && !is_sample) return;
    try {
      read_reference_list(row, field_name(names, "reference"), where);
    } catch (const InputError&) {
      if (!is_sample) throw;  // templates may write {"a": 1}
    }
  }

 private:
  // A row without candidate or reference is an error if no row has one, or if it has a field that
  // the rows with both have not: the value may be there, under another name. Else it is missing,
  // and so it is where the row has an error. The label is named beside.
  void add_needed_texts(const Json& row, const FieldNames& names,
                        std::vector<std::string>& needed) const {
    const size_t before = needed.size();
    for (const char* const ours : kTexts) {
      if (find_field(row, field_name(names, ours)) != nullptr) continue;
      const bool has_others =
          !has_failed(row) && std::ranges::any_of(row.object(), [&](const auto& member) {
            return !known_.contains(member.first);
          });
      if (has_others || !found_.contains(ours)) needed.emplace_back(ours);
    }
    if (needed.size() > before && needs_label_ && !has_labels_) needed.emplace_back("score");
  }

  InputFormat format_;
  const FieldNames& given_;
  bool needs_label_;
  std::set<std::string> known_, found_;  // fields of rows with both texts; texts of any row
  bool has_labels_ = false;
};

// The fields of a row, and of its objects, that may hold its label: no text or id of the answer.
std::vector<std::string> likely_labels(const Json& row, const FieldNames& names) {
  std::set<std::string> texts;
  for (const std::string& ours : answer_fields()) texts.insert(field_name(names, ours));
  std::vector<std::string> fields;
  for (const auto& [name, value] : row.object()) {
    if (texts.contains(name)) continue;
    if (is_value(value)) fields.push_back(name);
    if (!value.is_object() || name == "scores") continue;  // those are a metric's
    for (const auto& [inner, part] : value.object()) {
      if (is_value(part)) fields.push_back(name + "." + inner);
    }
  }
  return fields;
}

// The error of a row of a file in which no row has the field of labels.
InputError no_label_field(const Json& row, const FieldNames& names, const std::string& where) {
  std::vector<std::string> quoted, options;
  for (const auto& member : row.object()) quoted.push_back(json_quote(member.first));
  for (const std::string& field : likely_labels(row, names)) {
    options.push_back("--field " + shell_word("score=" + field));
  }
  constexpr size_t kFew = 3;
  if (options.empty() || options.size() > kFew) options = {"--field score=…"};
  const std::string name = json_quote(field_name(names, "score"));
  return InputError("the row has no label: the field " + name + " is missing", where,
                    "name the field of the labels: " + join(options, " or ") +
                        "; the row's fields are " + join_some(quoted));
}

// The answers of a row; none: it is left out. `has_labels`: whether some row of the file has the
// field of labels.
std::vector<Answer> answers_of(const Json& row, const FieldNames& names, int64_t number,
                               const std::string& where, const AnswerOptions& options,
                               MissingValues& missing, MissingValues& missing_in_pairs,
                               bool has_labels, LabelWords& words) {
  if (is_row_pair(row, names)) {
    AnswerPair pair = row_pair(row, names, number, where, missing_in_pairs);
    return {std::move(pair.better), std::move(pair.worse)};
  }
  std::optional<Answer> answer = row_answer(row, names, number, where, missing);
  if (!answer) return {};
  using Label = AnswerOptions::Label;
  if (options.label != Label::ignored) answer->score = row_label(row, names, where);
  if (answer->score) {
    words.add(*find_field(row, field_name(names, "score")), *answer->score, where);
  }
  if (options.label != Label::needed) return {*std::move(answer)};
  if (!has_labels) throw no_label_field(row, names, where);
  const std::string label = field_name(names, "score");
  if (!answer->score &&
      !missing.keeps(MissingValues::kLabel, label, where, find_field(row, label).get())) {
    return {};
  }
  return {*std::move(answer)};
}

void read_rows(const std::filesystem::path& file, InputFormat format, const FieldNames& names,
               NamedRowReader& reader) {
  try {
    visit_rows(
        file, format,
        [&](Json row, const std::string& where) { return reader.add(std::move(row), where); },
        text_columns(names));
  } catch (const InputError&) {
    if (reader.begin()) throw;  // the rows before the problem come first, and may be enough
  }
  reader.begin();
}

}  // namespace

void read_reference_list(Json& row, const std::string& reference, const std::string& where) {
  const Json* const cell = row.find(reference);
  if (cell == nullptr || !cell->is_string()) return;
  if (const auto items = parse_list_cell(cell->string(), where)) {
    row[reference] = Json::Array(items->begin(), items->end());
  }
}

void visit_named_rows(const std::filesystem::path& file, InputFormat format,
                      const FieldNames& names, Reads reads, const NamedRowVisitor& visit) {
  NamedRowReader reader(names, format, reads, 0, visit);
  read_rows(file, format, names, reader);
}

void stream_named_rows(const std::filesystem::path& file, InputFormat format,
                       const FieldNames& names, Reads reads, const NamedRowVisitor& visit,
                       const std::function<void()>& restart) {
  FieldEvidence evidence(names);
  std::vector<std::pair<Json, std::string>> first;  // rows and places, until their names are known
  FieldNames found;
  std::string where;
  const auto visit_first = [&] {
    found = usual_names(evidence, where, reads).names;
    for (auto& [row, place] : first) visit(std::move(row), found, place);
    first.clear();
  };
  int64_t count = 0;
  const auto read = [&](Json row, const std::string& place) {
    constexpr int64_t kFirstRows = 1'000;
    if (where.empty()) where = place;
    evidence.add(row);
    if (++count > kFirstRows) return visit(std::move(row), found, place);
    first.emplace_back(std::move(row), place);
    if (count == kFirstRows) visit_first();
    return true;
  };
  visit_rows(file, format, read, text_columns(names));
  if (!first.empty()) visit_first();
  const FieldNames of_all = complete_names(evidence, where, reads);
  set_field_names(of_all, is_table(format));
  if (of_all == found) return;
  restart();
  visit_rows(
      file, format,
      [&](Json row, const std::string& place) { return visit(std::move(row), of_all, place); },
      text_columns(names));
}

namespace {

// Throws InputError for files of predictions and references that the format lacks or needs.
void require_files_of(const InputFormat& format, const std::filesystem::path& file,
                      const AnswerOptions& options) {
  const std::string name = "the format " + std::string(format.name);
  const bool reads_lines = format.read_lines != nullptr,
             reads_predictions = format.read_predicted != nullptr;
  if (!reads_lines && !options.references.empty()) {
    throw InputError(name + " has references of its own",
                     "--references " + options.references.front().string(),
                     "leave it out, or add --input-format lines for texts, a line each");
  }
  if (!reads_predictions && !options.predictions.empty()) {
    throw InputError(
        name + " has candidates of its own", "--predictions " + options.predictions.string(),
        "leave it out, or name the data set's --input-format: squad, nq_open, trivia_qa");
  }
  const std::string option = reads_lines ? "--references" : "--predictions";
  if (reads_lines ? options.references.empty() : reads_predictions && options.predictions.empty()) {
    throw InputError(
        name + (reads_lines ? " has candidates alone" : " has questions without candidates"),
        file.string(),
        "score it with " + option + " FILE, and give other commands the scored file");
  }
}

// Of MOCHA's nesting, of another data set, and of texts, a line each.
std::string visit_data_set(const std::filesystem::path& file, const InputFormat& format,
                           const AnswerOptions& options, const AnswerVisitor& visit) {
  ReferenceSeparator separator(options.reference_separator, options.separator_option);
  MissingValues missing(options.missing);
  bool goes_on = true;
  const auto take = [&](std::vector<Answer> answers, const Json* instance,
                        const std::string& where) {
    if (!goes_on) return;
    for (Answer& answer : answers) separator.read(answer);
    Json row = instance != nullptr ? *instance : answer_row(answers.front());
    goes_on = visit(std::move(answers), std::move(row), {}, where);
  };
  if (format == InputFormat::kMocha) {
    visit_mocha(file, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
      take(mocha_answers(key, instance, where), &instance, where);
    });
  } else {
    for (const Answer& answer : format.read_lines != nullptr
                                    ? format.read_lines(file, options.references, missing)
                                : format.read_predicted != nullptr
                                    ? format.read_predicted(file, options.predictions, missing)
                                    : format.read(file)) {
      take({answer}, nullptr, record_place(file.string(), answer));
    }
  }
  separator.warn();
  return missing.signature() + separator.signature();
}

}  // namespace

std::string visit_answers(const std::filesystem::path& file, InputFormat format,
                          const FieldNames& names, const AnswerOptions& options,
                          const AnswerVisitor& visit) {
  check_field_names(format, names);
  require_fields(names, answer_fields());
  require_files_of(format, file, options);
  if (!has_rows(format)) return visit_data_set(file, format, options, visit);
  const bool reads_label = options.label != AnswerOptions::Label::ignored;
  AnswerRowReader reader(format, names, options.label == AnswerOptions::Label::needed);
  MissingValues missing(options.missing, is_table(format)), missing_in_pairs(Missing::error);
  ReferenceSeparator separator(options.reference_separator, options.separator_option);
  LabelWords words;
  int64_t number = 0, kept = 0;
  const auto read = [&](Json row, const FieldNames& all, const std::string& where) {
    reader.read(row, all, where);
    std::vector<Answer> answers = answers_of(row, all, ++number, where, options, missing,
                                             missing_in_pairs, reader.has_labels(), words);
    if (answers.empty()) return true;
    ++kept;
    for (Answer& answer : answers) separator.read(answer);
    return visit(std::move(answers), std::move(row), all, where);
  };
  const NamedRowVisitor visit_row = read;
  NamedRowReader rows(names, format, reads_label ? Reads::labels : Reads::texts, options.first_rows,
                      visit_row, [&](std::span<const Json> rows_of_file, const FieldNames& all) {
                        reader.begin(rows_of_file, all);
                      });
  read_rows(file, format, names, rows);
  missing.warn(/*of_empty=*/reads_label);  // who scores them warns of these
  missing_in_pairs.warn();
  separator.warn();
  missing.require_candidates(number, file.string());
  if (number > 0 && kept == 0) {
    throw InputError("no rows are left: each lacks a text or a label", file.string(),
                     "fill in what the warning names");
  }
  return missing.signature() + separator.signature();
}

}  // namespace rubric::data
