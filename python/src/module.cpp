// The extension rubric._light: the light half of the library, for the package's Python code. It
// takes and gives plain values; python/rubric makes objects of them.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "answers.h"
#include "call.h"
#include "config/call.h"
#include "core/context.h"
#include "data/answers/reference_separator.h"
#include "data/answers/usual_names.h"
#include "eval/report/html.h"
#include "eval/score/score.h"
#include "metrics/list.h"
#include "rubric/rubric.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace rubric::python {
namespace {

using Texts = nb::typed<nb::list, nb::str>;
using Printed = nb::typed<nb::tuple, nb::typed<nb::dict, nb::str, nb::str>, Texts>;

nb::str text(const std::string& value) {
  return nb::str(value.data(), value.size());
}

constexpr size_t kPart = 2048;  // rows that are read, and lists filled, between looks for Ctrl-C

nb::list list_of(const std::vector<double>& values) {
  const auto list = nb::steal<nb::list>(PyList_New(std::ssize(values)));
  if (!list.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % kPart == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    PyObject* const value = PyFloat_FromDouble(values[i]);
    if (value == nullptr) throw nb::python_error();
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), value);
  }
  return list;
}

// A tuple for each score: name, value over all answers (a mean, or of a corpus), interval or None,
// signature, the scores by row, whether the value is of a corpus. Frees the rows.
nb::list score_tuples(std::vector<AnswerScores>& result) {
  nb::list tuples;
  for (AnswerScores& scores : result) {
    const FileScore& all = scores.over_all;
    nb::object interval = nb::none();
    if (all.interval) interval = nb::make_tuple(all.interval->low, all.interval->high);
    tuples.append(nb::make_tuple(text(all.name), all.value, interval, text(all.signature),
                                 list_of(std::exchange(scores.rows, {})), all.is_corpus));
  }
  return tuples;
}

nb::typed<nb::tuple, nb::typed<nb::list, nb::any>, Texts> score(
    const nb::typed<nb::list, nb::any>& candidates, const nb::typed<nb::list, nb::any>& references,
    ReferenceEnds reference_ends, const nb::object& passages, const nb::object& questions,
    const std::vector<std::string>& metrics, const SettingValues& settings, size_t threads,
    const std::string& reference_separator) {
  const AnswerColumns columns =
      answer_columns(candidates, references, std::move(reference_ends), passages, questions);
  check_types(columns);
  // Python's texts are read in parts, with the GIL, so that they are never all there twice.
  std::vector<Answer> memory(std::min(kPart, columns.size()));
  data::ReferenceSeparator separator(reference_separator);
  const auto next_part = [&, next = size_t{0}]() mutable {
    std::span<Answer> part;
    if (next < columns.size()) {
      const nb::gil_scoped_acquire gil;
      part = read_answers(columns, next,
                          std::span(memory).first(std::min(kPart, columns.size() - next)));
    }
    next += part.size();
    for (Answer& answer : part) separator.read(answer);
    return std::span<const Answer>(part);
  };
  Messages messages;
  std::vector<AnswerScores> result;
  call(messages, threads, [&](const Context& context) {
    result = score_answers(next_part, metrics, settings, context);
  });
  return nb::make_tuple(score_tuples(result), messages.warnings());
}

// [candidate, [reference, …], passage, question] of each row: texts, None for a missing passage or
// question.
nb::typed<nb::list, nb::any> checked_rows(const nb::typed<nb::list, nb::any>& candidates,
                                          const nb::typed<nb::list, nb::any>& references,
                                          ReferenceEnds reference_ends, const nb::object& passages,
                                          const nb::object& questions,
                                          const std::string& reference_separator) {
  const AnswerColumns columns =
      answer_columns(candidates, references, std::move(reference_ends), passages, questions);
  nb::list rows;
  Answer answer;
  data::ReferenceSeparator separator(reference_separator);
  for (size_t row = 0; row < columns.size(); ++row) {
    if (row % kPart == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    read_answers(columns, row, {&answer, 1});
    separator.read(answer);
    nb::list texts;
    for (const std::string& reference : answer.references) texts.append(text(reference));
    const auto optional = [&](const nb::object& column, const std::string& value) {
      return is_missing_at(column, row) ? nb::none() : nb::object(text(value));
    };
    rows.append(nb::make_tuple(text(answer.candidate), texts,
                               optional(columns.passages, answer.passage),
                               optional(columns.questions, answer.question)));
  }
  return rows;
}

// The columns of a file's answers: candidates, the references of all rows, the places behind each
// row's last, passages and questions (None where there are none), rows as JSON, messages; and what
// the options changed, for signatures.
nb::typed<nb::tuple, Texts, Texts, std::vector<size_t>, nb::typed<nb::list, nb::any>,
          nb::typed<nb::list, nb::any>, Texts, Texts, std::string>
read_file(const std::string& file, const std::map<std::string, std::string>& names,
          const std::string& missing, const std::string& reference_separator) {
  Messages messages;
  FileAnswers read;
  call(messages, 1, [&](const Context& context) {
    const ContextScope scope(context);
    read = read_answer_file(file, names, missing, reference_separator);
  });
  nb::list candidates, references, passages, questions, rows;
  std::vector<size_t> ends;
  const auto add_optional = [](nb::list& column, const std::string& value) {
    column.append(value.empty() ? nb::none() : nb::object(text(value)));
  };
  for (size_t i = 0; i < read.answers.size(); ++i) {
    const Answer& answer = read.answers[i];
    candidates.append(text(answer.candidate));
    for (const std::string& reference : answer.references) references.append(text(reference));
    ends.push_back(nb::len(references));
    add_optional(passages, answer.passage);
    add_optional(questions, answer.question);
    rows.append(text(read.rows[i]));
  }
  return nb::make_tuple(candidates, references, ends, passages, questions, rows,
                        messages.warnings(), read.signature);
}

// What the commands print of a result, by format, with other texts, and the messages.
template <class AnyResult>
Printed printed(const AnyResult& result, const Messages& messages,
                const std::map<std::string, std::string>& others = {}) {
  nb::dict texts;
  for (const auto& [name, format] : {std::pair("text", OutputFormat::text),
                                     {"json", OutputFormat::json},
                                     {"markdown", OutputFormat::markdown},
                                     {"csv", OutputFormat::csv},
                                     {"latex", OutputFormat::latex},
                                     {"html", OutputFormat::html}}) {
    texts[name] = text(print(result, format));
  }
  for (const auto& [name, other] : others) texts[name.c_str()] = text(other);
  return nb::make_tuple(texts, messages.warnings());
}

// Name, value over all answers, interval, signature, number of rows, whether the value is a
// corpus's.
using ScoreOverAll = std::tuple<std::string, double, std::optional<std::pair<double, double>>,
                                std::string, int64_t, bool>;

Printed shown_scores(const std::vector<ScoreOverAll>& scores) {
  std::vector<FileScore> all;
  for (const auto& [name, value, interval, signature, rows, is_corpus] : scores) {
    FileScore& one = all.emplace_back();
    one = {.name = name,
           .value = value,
           .interval = {},
           .rows = rows,
           .signature = signature,
           .is_corpus = is_corpus};
    if (interval) one.interval = Interval{interval->first, interval->second};
  }
  return printed(eval::score_result(all), Messages());
}

// The functions that return a result, by the names of their commands.
constexpr std::pair<std::string_view, std::unique_ptr<config::Call> (*)()> kCalls[] = {
    {"agreement", config::make_call<AgreementRequest, evaluate_agreement>},
    {"compare", config::make_call<CompareRequest, compare_systems>},
    {"estimate", config::make_call<EstimateRequest, estimate>},
    {"plan", config::make_call<PlanRequest, plan>},
    {"choose", config::make_call<ChooseRequest, choose>},
};

// `values` are those of the command's options, by their names; `page`: of the report, "": none.
Printed run(const std::string& name, const std::map<std::string, std::vector<std::string>>& values,
            const std::string& page, size_t threads) {
  const auto found = std::ranges::find(kCalls, name, [](const auto& each) { return each.first; });
  const std::unique_ptr<config::Call> made = found->second();
  for (const auto& [field, texts] : values) made->fields.set(field, texts);
  made->fields.require_needed();
  Messages messages;
  Result result;
  call(messages, threads, [&](const Context& context) {
    result = made->run(context);
    if (!page.empty()) write_report(result, page);
  });
  std::map<std::string, std::string> sheets;
  for (const Records& records : result.records) {
    if (records.name == "sheet") sheets["sheet"] = records_csv(records);
  }
  return printed(result, messages, sheets);
}

nb::typed<nb::list, nb::any> metric_tuples() {
  nb::list metrics;
  for (const MetricInfo& info : list_metrics()) {
    nb::list settings;
    for (const SettingInfo& setting : info.settings) {
      settings.append(
          nb::make_tuple(text(setting.name), text(setting.value_name), text(setting.help)));
    }
    metrics.append(nb::make_tuple(text(info.name), info.aliases, text(info.summary),
                                  text(info.record), info.needs_model, text(info.default_model),
                                  settings));
  }
  return metrics;
}

NB_MODULE(_light, m) {
  translate_errors();
  m.def("score", &score, "candidates"_a, "references"_a, "reference_ends"_a.none(),
        "passages"_a.none(), "questions"_a.none(), "metrics"_a, "settings"_a, "threads"_a,
        "reference_separator"_a = "");
  m.def("shown_scores", &shown_scores, "scores"_a);
  m.def("read_answers", &read_file, "file"_a, "names"_a, "missing"_a, "reference_separator"_a);
  m.def("checked_rows", &checked_rows, "candidates"_a, "references"_a, "reference_ends"_a.none(),
        "passages"_a.none(), "questions"_a.none(), "reference_separator"_a = "");
  m.def("repeated_documents", &repeated_documents, "rows"_a);
  m.def(
      "separator_signature",
      [](const std::string& separator) { return data::ReferenceSeparator(separator).signature(); },
      "separator"_a);
  m.def(
      "with_lists",
      [](const nb::typed<nb::list, nb::any>& references) -> nb::typed<nb::list, nb::any> {
        return with_lists(references);
      },
      "references"_a);
  m.def(
      "field_names",
      [](const std::vector<std::string>& rows, const std::map<std::string, std::string>& names) {
        Messages messages;
        std::map<std::string, std::string> completed;
        call(messages, 1, [&](const Context&) { completed = field_names(rows, names); });
        return completed;
      },
      "rows"_a, "names"_a);
  m.def("may_be_field", &data::may_be_field, "name"_a);
  m.def("run", &run, "name"_a, "values"_a, "page"_a, "threads"_a);
  m.def(
      "escape_html", [](const std::string& shown) { return text(eval::escape_html(shown)); },
      "text"_a);
  m.def("list_metrics", &metric_tuples);
  m.def(
      "metric_name",
      [](const std::string& name) { return std::string(metrics::require_metric(name).name); },
      "name"_a);
  m.def("version", &version_with_build);
}

}  // namespace
}  // namespace rubric::python
