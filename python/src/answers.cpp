#include "answers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/error.h"
#include "core/json/json.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/repeated_documents.h"
#include "data/rows/list_cell.h"
#include "rubric/errors.h"

namespace rubric::python {
namespace {

namespace nb = nanobind;

// Raises rubric.InputError about the row's field.
[[noreturn]] void refuse(size_t row, const char* field, const std::string& what) {
  const nb::object type = nb::module_::import_("rubric._errors").attr("InputError");
  const std::string message =
      std::string(field) + " of row " + std::to_string(row) + " (the first is 0) " + what;
  const nb::object error = type(message.c_str(), nb::arg("row") = row, nb::arg("field") = field);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

std::string kind_of(nb::handle value) {
  return nb::cast<std::string>(value.type().attr("__name__"));
}

// None, NaN, and what pandas has in their place.
bool is_missing(nb::handle value) {
  return value.is_none() ||
         (PyFloat_Check(value.ptr()) && std::isnan(PyFloat_AsDouble(value.ptr()))) ||
         kind_of(value) == "NAType";
}

// Why the value is no text, and what to do.
std::string fault_of(nb::handle value) {
  const bool is_number = PyNumber_Check(value.ptr()) == 1;
  return "is a value of type " + kind_of(value) + ", not a text\n  to do: give a text" +
         (PyBytes_Check(value.ptr())    ? ", such as that of decode()"
          : PyAnySet_Check(value.ptr()) ? " or a list of texts, such as sorted(value)"
          : is_number                   ? ", str(value); of a column of numbers that of "
                                          "convert_dtypes().astype(\"string\")"
                                        : "");
}

// As long as the object lives.
std::string_view text_of(nb::handle value, size_t row, const char* field) {
  if (!PyUnicode_Check(value.ptr())) refuse(row, field, fault_of(value));
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    refuse(row, field, "has a lone surrogate, which is no character");
  }
  return {text, static_cast<size_t>(size)};
}

nb::handle item_of(nb::handle list, size_t i) {
  PyObject* const item = PyList_GetItem(list.ptr(), static_cast<Py_ssize_t>(i));
  if (item == nullptr) throw nb::python_error();
  return item;
}

// The places of a row's references where they have ends: of the first, and behind the last.
std::pair<size_t, size_t> places_of(const std::vector<size_t>& ends, size_t row) {
  return {row == 0 ? 0 : ends.at(row - 1), ends.at(row)};
}

constexpr const char* kReference = "reference";

// A text, or texts in a list, a tuple or an array, of which what is missing is left out. An empty
// list is the reference "", as SQuAD 2.0 has questions without an answer.
void read_cell(nb::handle value, size_t row, std::vector<std::string>& references) {
  if (PyUnicode_Check(value.ptr())) {
    references.resize(1);
    references.front() = text_of(value, row, kReference);
    return;
  }
  nb::object listed = nb::borrow(value);
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) {
    if (!nb::hasattr(value, "tolist")) refuse(row, kReference, fault_of(value));
    listed = value.attr("tolist")();
    if (!PyList_Check(listed.ptr())) refuse(row, kReference, fault_of(value));
  }
  size_t count = 0;
  for (const nb::handle item : listed) {
    if (!PyUnicode_Check(item.ptr()) && is_missing(item)) continue;
    if (count == references.size()) references.emplace_back();
    references[count++] = text_of(item, row, kReference);
  }
  references.resize(count);
  if (count == 0) references.emplace_back();
}

void read_references(const AnswerColumns& columns, size_t row,
                     std::vector<std::string>& references) {
  if (!columns.reference_ends) {
    read_cell(item_of(columns.references, row), row, references);
    return;
  }
  const auto [begin, end] = places_of(*columns.reference_ends, row);
  size_t count = 0;
  references.resize(std::max<size_t>(end - begin, 1));
  for (size_t i = begin; i < end; ++i) {
    const nb::handle item = item_of(columns.references, i);
    const bool is_left_out = !PyUnicode_Check(item.ptr()) && is_missing(item);
    if (!is_left_out) references[count++] = text_of(item, row, kReference);
  }
  references.resize(count);
  if (count == 0) references.emplace_back();  // an empty list, as above
}

void require_text(nb::handle value, size_t row, const char* field) {
  if (!PyUnicode_Check(value.ptr())) refuse(row, field, fault_of(value));
}

// Of passages or questions: a text or what is missing.
void require_optional_text(const nb::object& column, size_t row, const char* field) {
  if (column.is_none()) return;
  const nb::handle value = item_of(column, row);
  if (!is_missing(value)) require_text(value, row, field);
}

// "" for what is missing.
void read_optional_text(const nb::object& column, size_t row, const char* field,
                        std::string& text) {
  if (column.is_none()) return;
  const nb::handle value = item_of(column, row);
  if (PyUnicode_Check(value.ptr()) || !is_missing(value)) {
    text = text_of(value, row, field);
  } else {
    text.clear();
  }
}

// An item of a list of references: a text, or missing.
void require_item(nb::handle item, size_t row) {
  if (!PyUnicode_Check(item.ptr()) && !is_missing(item)) require_text(item, row, kReference);
}

void check_references(const AnswerColumns& columns, size_t row) {
  if (columns.reference_ends) {
    const auto [begin, end] = places_of(*columns.reference_ends, row);
    for (size_t i = begin; i < end; ++i) require_item(item_of(columns.references, i), row);
    return;
  }
  const nb::handle cell = item_of(columns.references, row);
  if (PyList_Check(cell.ptr()) || PyTuple_Check(cell.ptr())) {
    for (const nb::handle item : cell) require_item(item, row);
  } else if (!PyUnicode_Check(cell.ptr()) && !nb::hasattr(cell, "tolist")) {
    require_text(cell, row, kReference);
  }
}

}  // namespace

AnswerColumns answer_columns(const nb::list& candidates, const nb::list& references,
                             ReferenceEnds reference_ends, const nb::object& passages,
                             const nb::object& questions) {
  if (reference_ends) {
    const std::vector<size_t>& ends = *reference_ends;
    const size_t last = ends.empty() ? 0 : ends.back();
    if (ends.size() != candidates.size() || !std::ranges::is_sorted(ends) ||
        last != references.size()) {
      throw Error("reference_ends has " + std::to_string(ends.size()) + " ends, the last " +
                      std::to_string(last) + ", for " + std::to_string(candidates.size()) +
                      " candidates and " + std::to_string(references.size()) + " references",
                  "", "give the end of each row's references, in order");
    }
  }
  return {candidates, references, std::move(reference_ends), passages, questions};
}

void check_types(const AnswerColumns& columns) {
  constexpr size_t kBetweenSignals = 1 << 16;  // rows
  for (size_t row = 0; row < columns.size(); ++row) {
    if (row % kBetweenSignals == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    require_text(item_of(columns.candidates, row), row, "candidate");
    check_references(columns, row);
    require_optional_text(columns.passages, row, "passage");
    require_optional_text(columns.questions, row, "question");
  }
}

std::span<Answer> read_answers(const AnswerColumns& columns, size_t first,
                               std::span<Answer> answers) {
  constexpr size_t kMostBytes = 1 << 23;
  size_t count = 0;
  for (size_t bytes = 0; count < answers.size() && bytes < kMostBytes; ++count) {
    const size_t row = first + count;
    Answer& answer = answers[count];
    answer.id = std::to_string(row);
    answer.is_numbered = true;
    answer.candidate = text_of(item_of(columns.candidates, row), row, "candidate");
    read_references(columns, row, answer.references);
    read_optional_text(columns.passages, row, "passage", answer.passage);
    read_optional_text(columns.questions, row, "question", answer.question);
    bytes += answer.candidate.size() + answer.passage.size() + answer.question.size();
    for (const std::string& reference : answer.references) bytes += reference.size();
  }
  return answers.first(count);
}

nb::list with_lists(const nb::list& references) {
  nb::list read;
  for (size_t row = 0; row < references.size(); ++row) {
    const nb::handle cell = item_of(references, row);
    std::optional<std::vector<std::string>> items;
    if (PyUnicode_Check(cell.ptr())) {
      try {
        items = data::parse_list_cell(text_of(cell, row, kReference), "");
      } catch (const InputError& error) {
        refuse(row, kReference, std::string("is no list: ") + error.what());
      }
    }
    read.append(items ? nb::cast(*items) : nb::borrow(cell));
  }
  return read;
}

bool is_missing_at(const nb::object& column, size_t row) {
  return !column.is_none() && is_missing(item_of(column, row));
}

std::map<std::string, std::string> field_names(const std::vector<std::string>& rows,
                                               const std::map<std::string, std::string>& names) {
  std::vector<Json> parsed;
  for (const std::string& row : rows) parsed.push_back(Json::parse(row, ""));
  return data::complete_names(parsed, names, "");
}

FileAnswers read_answer_file(const std::string& file,
                             const std::map<std::string, std::string>& names,
                             const std::string& missing, const std::string& reference_separator) {
  const data::InputFormat format = data::input_format("", file);
  data::check_field_names(format, names);
  FileAnswers read;
  data::AnswerOptions options{.missing = data::missing_named(missing, "missing"),
                              .reference_separator = reference_separator,
                              .label = data::AnswerOptions::Label::ignored};
  if (!data::has_rows(format)) {
    read.answers = data::read_answers(file, format, names, options);
    for (const Answer& answer : read.answers) read.rows.push_back(data::answer_row(answer).dump());
    return read;
  }
  read.signature = data::visit_answers(file, format, names, options,
                                       [&](std::vector<Answer> answers, const Json& row,
                                           const data::FieldNames& all, const std::string& where) {
                                         if (answers.size() > 1)
                                           data::require_fields(row, all, {"candidate"}, where);
                                         read.answers.push_back(std::move(answers.front()));
                                         read.rows.push_back(row.dump());
                                         return true;
                                       });
  if (read.rows.empty()) throw no_rows(file);
  return read;
}

std::vector<std::string> repeated_documents(const std::vector<std::string>& rows) {
  std::vector<Answer> answers;
  std::vector<Json> of_answers;
  for (const std::string& text : rows) {
    Json row = Json::parse(text, "");
    if (data::is_lm_eval_sample(row)) data::add_sample_key(row, {});
    answers.push_back(data::row_answer(row, {}, std::ssize(answers) + 1, ""));
    of_answers.push_back(std::move(row));
  }
  const data::RepeatedDocuments found = data::repeated_documents(answers, of_answers);
  std::vector<std::string> messages = {found.copies, found.repeated};
  std::erase(messages, "");
  return messages;
}

}  // namespace rubric::python
