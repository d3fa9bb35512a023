// How a request lists its fields, once. The list gives the options of the command with their help,
// completion and manual page, the checks of values, and what `reproduce` hashes. Python sets fields
// by the names of options.
//
//   struct CompareRequest {
//     std::vector<std::filesystem::path> files;
//     std::optional<int64_t> rows;
//     void visit_fields(auto& field) {
//       field("files", files, "scored files").input().positional();
//       field("rows", rows, "rows on which two systems differ most").range(0, 1000);
//     }
//   };
//
//   CompareRequest request;
//   RequestFields fields;
//   request.visit_fields(fields);
//   fields.set("rows", {"20"});  // request.rows is 20
//
// The type of a member says how a value is written:
//
//   bool                         an option without a value
//   int64_t, uint64_t, double    a number
//   std::string, path            a text that is not empty
//   an enumeration               the name at its place in choices()
//   Interval                     LOW:HIGH
//   std::optional<T>             as T, without a default
//   std::vector<T>               an option that may be repeated; with names() also as a,b
//   std::map<string, string>     OURS=THEIRS, an option that may be repeated
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "rubric/statistics.h"

namespace rubric::config {

// What the values of a field name.
enum class FieldRole {
  value,   // no file
  input,   // files that are read, also as NAME=FILE
  output,  // a file or folder that is written
  model,   // model directories, or names of models
};

using Texts = std::vector<std::string>;

// A field, bound to the member that holds its value.
struct RequestField {
  std::string name, help;
  std::string value_name;            // "FILE"; "" where the option takes no value
  std::vector<std::string> allowed;  // empty: any text
  std::optional<std::pair<int64_t, int64_t>> limits;
  std::optional<Interval> real_limits;
  FieldRole role = FieldRole::value;
  char letter = '\0';  // of the short option; '\0': none
  bool is_positional = false, is_required = false;
  bool repeats = false;        // it has several values
  bool is_multitoken = false;  // several values may follow one option
  bool is_list = false;        // on a command line a value may be several, with commas between
  bool is_folder = false;      // of outputs: a folder that is made
  bool is_json_lines = false;  // of outputs: written so, whatever the name says
  bool is_hidden = false;      // for callers in memory alone
  bool needs_json = false;     // only output in JSON shows what it asks for
  bool shows_records = false;  // it asks for records, which CSV has no place for
  bool lists_metrics = false;  // of metrics/list.h
  bool may_be_stdout = false;  // of outputs: "-" is standard output
  bool is_appended = false;    // of outputs: several calls may write one
  std::string needed;          // the option without which this one does nothing; "": none
  bool is_given = false;       // set() has set it
  bool is_escaped = false;     // \n and \t are a line break and a tab
  bool keeps_result = false;   // the result does not depend on it
  std::function<void(const RequestField&, const Texts&)> read;  // throws InputError
  std::function<std::string(const RequestField&)> text;         // of the value now; "": none
  std::function<Texts()> texts;                                 // the paths or texts that it holds

  RequestField& named(const char* value) { return value_name = value, *this; }
  RequestField& short_as(char option) { return letter = option, *this; }
  RequestField& choices(std::vector<std::string> names) {
    return allowed = std::move(names), *this;
  }
  RequestField& range(int64_t least, int64_t most) { return limits = {least, most}, *this; }
  RequestField& between(double least, double most) { return real_limits = {least, most}, *this; }
  RequestField& input() { return role = FieldRole::input, *this; }
  RequestField& output() { return role = FieldRole::output, *this; }
  RequestField& names() { return is_list = true, *this; }
  RequestField& folder() { return is_folder = true, value_name = "DIR", output(); }
  RequestField& json_lines() { return is_json_lines = true, *this; }
  RequestField& hidden() { return is_hidden = true, *this; }
  RequestField& positional() { return is_positional = true, *this; }
  RequestField& required() { return is_required = true, *this; }
  RequestField& multitoken() { return is_multitoken = true, *this; }
  RequestField& only_in_json() { return needs_json = true, *this; }
  RequestField& without_effect() { return keeps_result = true, *this; }
  RequestField& of_records() { return shows_records = true, *this; }
  RequestField& model() { return role = FieldRole::model, value_name = "MODEL", *this; }
  RequestField& metrics() { return lists_metrics = true, names(); }
  RequestField& appended() { return is_appended = true, *this; }
  RequestField& only_with(const char* other) { return needed = other, *this; }
  RequestField& escaped() { return is_escaped = true, *this; }
  RequestField& or_stdout() { return may_be_stdout = true, output(); }
};

// The values as members have them, and that none is named twice. Each throws InputError at
// "--name".
int64_t whole_number_of(const RequestField& field, const std::string& text);
double number_of(const RequestField& field, const std::string& text);
Interval interval_of(const RequestField& field, const std::string& text);
size_t choice_of(const RequestField& field, const std::string& text);
std::string text_of(const RequestField& field, const std::string& text);

// Of "ours=theirs" each. The advice of InputError shows how `example` is assigned.
std::map<std::string, std::string> assignments_of(const Texts& texts,
                                                  const std::string& option = "--field",
                                                  const std::string& example = "candidate");

// FILE of "NAME=FILE", which some options take and others (`is_named`) demand; "a=b/c" without a
// file of that name is such a text, "a/b=c" none.
std::string file_of(const std::string& value, bool is_named = false);

void require_distinct(const RequestField& field, const Texts& names);

// The names in "a,b", stripped of blanks; InputError when one is empty.
Texts split_names(const std::string& list);

template <class T>
T value_of(const RequestField& field, const std::string& text) {
  if constexpr (std::is_enum_v<T>)
    return static_cast<T>(choice_of(field, text));
  else if constexpr (std::is_same_v<T, double>)
    return number_of(field, text);
  else if constexpr (std::is_same_v<T, Interval>)
    return interval_of(field, text);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(whole_number_of(field, text));
  else
    return text_of(field, text);
}

// A value as it is written on a command line; "" where there is none.
std::string written(const RequestField& field, double value);
std::string written(const RequestField& field, const Interval& value);
std::string written(const RequestField& field, const std::map<std::string, std::string>& values);

template <class T>
std::string written(const RequestField& field, const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "yes" : "";
  else if constexpr (std::is_enum_v<T>)
    return field.allowed.at(static_cast<size_t>(value));
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else
    return value;
}

template <class T>
std::string written(const RequestField& field, const std::optional<T>& value) {
  return value ? written(field, *value) : "";
}

template <class T>
std::string written(const RequestField& field, const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + written(field, value);
  return text;
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

// The texts and paths of a member, without empty ones; none of other types.
template <class T>
Texts texts_in(const T& value) {
  Texts texts;
  if constexpr (IsOptional<T>()) {
    if (value) texts = texts_in(*value);
  } else if constexpr (IsVector<T>()) {
    for (const auto& each : value) std::ranges::move(texts_in(each), std::back_inserter(texts));
  } else if constexpr (std::is_convertible_v<T, std::filesystem::path>) {
    if (!value.empty()) texts = {std::filesystem::path(value).string()};
  }
  return texts;
}

class RequestFields {
 public:
  RequestFields() = default;
  RequestFields(const RequestFields&) = delete;  // fields are bound to members
  RequestFields& operator=(const RequestFields&) = delete;

  template <class T>
  RequestField& operator()(const char* name, T& value, const std::string& help) {
    RequestField& field = add(name, help);
    field.texts = [&value] { return texts_in(value); };
    field.text = [&value](const RequestField& of) { return written(of, value); };
    if constexpr (std::is_same_v<T, bool>) {
      field.read = [&value](const RequestField&, const Texts&) { value = true; };
    } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
      field.value_name = "OURS=THEIRS";
      field.repeats = true;
      field.read = [&value](const RequestField& of, const Texts& texts) {
        value = assignments_of(texts, "--" + of.name);
      };
    } else if constexpr (IsVector<T>()) {
      field.value_name = type_name<typename T::value_type>();
      field.repeats = true;
      field.read = [&value](const RequestField& of, const Texts& texts) {
        value.clear();
        if (of.is_list) require_distinct(of, texts);
        for (const std::string& text : texts) {
          value.push_back(value_of<typename T::value_type>(of, text));
        }
      };
    } else if constexpr (IsOptional<T>()) {
      field.value_name = type_name<typename T::value_type>();
      field.read = [&value](const RequestField& of, const Texts& texts) {
        value = value_of<typename T::value_type>(of, texts.back());
      };
    } else {
      field.value_name = type_name<T>();
      field.read = [&value](const RequestField& of, const Texts& texts) {
        value = value_of<T>(of, texts.back());
      };
    }
    return field;
  }

  // Sets the member of a field. Throws InputError for a value that it cannot have, std::logic_error
  // for a name that there is not.
  void set(const std::string& name, const Texts& values);

  // A field whose `read`, `texts` and value_name the caller sets.
  RequestField& add(const char* name, const std::string& help);

  // Throws InputError for a field that is set while the one that it needs is not.
  void require_needed() const;

  const std::deque<RequestField>& all() const { return fields_; }

  // The values that a result depends on, besides what files and models hold.
  std::map<std::string, std::string> result_values() const;

 private:
  template <class T>
  static const char* type_name() {
    if constexpr (std::is_same_v<T, std::filesystem::path>)
      return "FILE";
    else if constexpr (std::is_same_v<T, Interval>)
      return "LOW:HIGH";
    else if constexpr (std::is_integral_v<T>)
      return "N";
    else if constexpr (std::is_floating_point_v<T>)
      return "X";
    else
      return "NAME";
  }

  std::deque<RequestField> fields_;  // whose elements stay where they are
};

// Throws InputError when the file's name says a table (.csv, .tsv): the output is JSON lines.
void check_json_lines_name(const std::string& output);

// Throws InputError where a file to be written cannot be, or would replace one that is read or
// another that is written, and where standard input is named twice.
void check_written_files(const std::vector<const RequestFields*>& fields);

template <class Request>
void check_written_files(Request request) {
  RequestFields fields;
  request.visit_fields(fields);
  check_written_files({&fields});
}

}  // namespace rubric::config
