#include "config/request.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::config {
namespace {

std::string option_of(const RequestField& field) {
  return (field.is_positional ? "the " : "--") + field.name;
}

bool names_files(const RequestField& field) {
  return field.role != FieldRole::value;
}

void require_text(const RequestField& field, const std::string& text) {
  if (!text.empty()) return;
  throw InputError(option_of(field) + " is empty", "command line",
                   (names_files(field) ? "name a file or folder" : "give a value") +
                       (field.is_required ? "" : ", or leave " + option_of(field) + " out"));
}

void visit_files(const std::vector<const RequestFields*>& all, FieldRole role,
                 const std::function<void(const RequestField&, const std::string& file)>& visit) {
  for (const RequestFields* const fields : all) {
    for (const RequestField& field : fields->all()) {
      if (field.role != role) continue;
      for (const std::string& text : field.texts()) visit(field, text);
    }
  }
}

}  // namespace

std::string file_of(const std::string& value, bool is_named) {
  const size_t equals = value.find('=');
  std::error_code unreadable;  // counts as missing
  const bool may_be = is_named || value.find('/') > equals;
  if (equals == std::string::npos || !may_be) return value;
  return is_named || !std::filesystem::exists(value, unreadable) ? value.substr(equals + 1) : value;
}

int64_t whole_number_of(const RequestField& field, const std::string& text) {
  require_text(field, text);
  const auto [least, most] = field.limits.value_or(std::pair(int64_t{0}, INT64_MAX));
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && least <= value && value <= most) return value;
  throw InputError(
      option_of(field) + " is " + (is_number ? text : json_quote(text)), "command line",
      "give a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

double number_of(const RequestField& field, const std::string& text) {
  require_text(field, text);
  const std::optional<double> value = parse_number(text);
  const auto [least, most] = field.real_limits.value_or(Interval{-HUGE_VAL, HUGE_VAL});
  if (value && least <= *value && *value <= most) return *value;
  if (value) {
    throw InputError(option_of(field) + " is " + text, "command line",
                     "give a number from " + Json(least).dump() + " to " + Json(most).dump());
  }
  throw InputError(json_quote(text) + " is not a number", option_of(field),
                   "such as " + option_of(field) + " 0.05");
}

Interval interval_of(const RequestField& field, const std::string& text) {
  constexpr double kMost = 1e150;  // beyond which squares are infinite
  const size_t colon = text.find(':');
  const std::optional<double> low = parse_number(text.substr(0, colon));
  const std::optional<double> high =
      colon == std::string::npos ? std::nullopt : parse_number(text.substr(colon + 1));
  if (low && high && std::abs(*low) <= kMost && std::abs(*high) <= kMost) return {*low, *high};
  throw InputError("expected LOW:HIGH", option_of(field) + " " + text,
                   low && high ? "give numbers from -1e150 to 1e150"
                               : "for example " + option_of(field) + " 1:5");
}

size_t choice_of(const RequestField& field, const std::string& text) {
  const auto found = std::ranges::find(field.allowed, text);
  if (found != field.allowed.end()) return static_cast<size_t>(found - field.allowed.begin());
  require_text(field, text);
  throw unknown_name("value of " + option_of(field), text, field.allowed, "command line");
}

std::string text_of(const RequestField& field, const std::string& text) {
  require_text(field, text);
  if (!field.allowed.empty()) choice_of(field, text);
  if (field.is_escaped && (text == "\\n" || text == "\\t")) return text == "\\n" ? "\n" : "\t";
  return text;
}

std::map<std::string, std::string> assignments_of(const Texts& texts, const std::string& option,
                                                  const std::string& example) {
  std::map<std::string, std::string> assignments;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      throw InputError("expected ours=theirs, found " + json_quote(text), option,
                       "for example " + option + " " + example + "=prediction");
    }
    const std::string ours = text.substr(0, equals);
    if (assignments.emplace(ours, text.substr(equals + 1)).second) continue;
    throw InputError("the field " + json_quote(ours) + " is named twice", option + " " + text,
                     std::string("name one field of the file") +
                         (ours != "reference"
                              ? ""
                              : "; of several columns of references make one, with cells such as "
                                "a|b and --reference-separator \"|\", or [\"a\", \"b\"]"));
  }
  return assignments;
}

std::string written(const RequestField& /*field*/, double value) {
  return Json(value).dump();
}

std::string written(const RequestField& field, const Interval& value) {
  return written(field, value.low) + ":" + written(field, value.high);
}

std::string written(const RequestField& /*field*/,
                    const std::map<std::string, std::string>& values) {
  std::vector<std::string> assignments;
  for (const auto& [ours, theirs] : values) assignments.push_back(ours + "=" + theirs);
  return join(assignments, ",");
}

void require_distinct(const RequestField& field, const Texts& names) {
  for (const std::string& name : names) {
    if (std::ranges::count(names, name) < 2) continue;
    throw InputError("the " + field.name + " " + name + " is named twice", option_of(field),
                     "name it once");
  }
}

Texts split_names(const std::string& list) {
  Texts names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    std::string name(trim(std::string_view(list).substr(begin, end - begin)));
    if (name.empty()) {
      throw InputError("a name in \"" + list + "\" is empty", "command line",
                       "write names with one comma between two: f1,em");
    }
    names.push_back(std::move(name));
    begin = end + 1;
  }
  return names;
}

void RequestFields::set(const std::string& name, const Texts& values) {
  const auto found = std::ranges::find(fields_, name, &RequestField::name);
  if (found == fields_.end()) throw std::logic_error("there is no field " + name);
  found->read(*found, values);
  found->is_given = true;
}

void RequestFields::require_needed() const {
  for (const RequestField& field : fields_) {
    if (!field.is_given || field.needed.empty()) continue;
    const auto needed = std::ranges::find(fields_, field.needed, &RequestField::name);
    if (needed != fields_.end() && needed->is_given) continue;
    throw InputError("--" + field.name + " is only valid with --" + field.needed, "command line",
                     "add --" + field.needed + ", or leave --" + field.name + " out");
  }
}

void check_json_lines_name(const std::string& output) {
  const std::string extension = without_gz(output).extension().string();
  if (extension != ".csv" && extension != ".tsv") return;
  throw InputError("the output holds JSON lines, its name says " + extension.substr(1),
                   "--output " + output, "name it .jsonl");
}

void check_written_files(const std::vector<const RequestFields*>& fields) {
  std::vector<std::filesystem::path> taken;
  visit_files(fields, FieldRole::input, [&](const RequestField& field, const std::string& value) {
    const bool is_again =
        value == kStandardInput && std::ranges::count(taken, std::filesystem::path(value)) > 0;
    taken.emplace_back(file_of(value, field.value_name.ends_with("=FILE")));
    if (!is_again) return;
    throw InputError("standard input is named twice", "--" + field.name + " -",
                     "name a file for one of the two");
  });
  visit_files(fields, FieldRole::output, [&](const RequestField& field, const std::string& file) {
    const std::string where = "--" + field.name + " " + file;
    if (file == "-")
      throw InputError("this is no name of a file", where, "name a file, such as ./-");
    if (field.is_json_lines) check_json_lines_name(file);
    if (!field.is_folder) require_writable(file, where);
    require_replaces_none(file, taken, where);
    taken.emplace_back(file);
  });
}

std::map<std::string, std::string> RequestFields::result_values() const {
  std::map<std::string, std::string> texts;
  for (const RequestField& field : fields_) {
    if (field.role == FieldRole::value && !field.keeps_result)
      texts[field.name] = field.text(field);
  }
  return texts;
}

RequestField& RequestFields::add(const char* name, const std::string& help) {
  if (std::ranges::count(fields_, name, &RequestField::name) > 0) {
    throw std::logic_error(std::string("two fields have the name ") + name);
  }
  RequestField& field = fields_.emplace_back();
  field.name = name;
  field.help = help;
  return field;
}

}  // namespace rubric::config
