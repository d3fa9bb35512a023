#include "answers.h"

#include <cmath>
#include <string>

#include <nanobind/stl/string.h>

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

// Why the value is no text.
std::string fault_of(nb::handle value) {
  if (value.is_none()) return "is None, not a text";
  if (PyFloat_Check(value.ptr()) && std::isnan(PyFloat_AsDouble(value.ptr()))) {
    return "is NaN, which data frames put where a value is missing, not a text";
  }
  return "is a value of type " + kind_of(value) + ", not a text";
}

std::string text_of(nb::handle value, size_t row, const char* field) {
  if (!PyUnicode_Check(value.ptr())) refuse(row, field, fault_of(value));
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    refuse(row, field, "has a lone surrogate, which is no character");
  }
  return {text, static_cast<size_t>(size)};
}

// A text, or texts in a list, a tuple or an array.
std::vector<std::string> references_of(nb::handle value, size_t row) {
  constexpr const char* kField = "reference";
  if (PyUnicode_Check(value.ptr())) return {text_of(value, row, kField)};
  nb::object listed = nb::borrow(value);
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) {
    if (!nb::hasattr(value, "tolist")) refuse(row, kField, fault_of(value));
    listed = value.attr("tolist")();
    if (!PyList_Check(listed.ptr())) refuse(row, kField, fault_of(value));
  }
  std::vector<std::string> references;
  for (const nb::handle item : listed) references.push_back(text_of(item, row, kField));
  if (references.empty()) refuse(row, kField, "is an empty list");
  return references;
}

}  // namespace

std::vector<Answer> answers_of(const nb::list& candidates, const nb::list& references,
                               const nb::object& passages, const nb::object& questions) {
  constexpr size_t kBetweenChecks = 4096;  // for Ctrl-C
  std::vector<Answer> answers(candidates.size());
  for (size_t row = 0; row < answers.size(); ++row) {
    if (row % kBetweenChecks == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    Answer& answer = answers[row];
    answer.id = std::to_string(row);
    answer.candidate = text_of(nb::object(candidates[row]), row, "candidate");
    answer.references = references_of(nb::object(references[row]), row);
    if (!passages.is_none()) answer.passage = text_of(nb::object(passages[row]), row, "passage");
    if (!questions.is_none())
      answer.question = text_of(nb::object(questions[row]), row, "question");
  }
  return answers;
}

}  // namespace rubric::python
