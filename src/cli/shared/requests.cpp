#include "cli/shared/requests.h"

#include <algorithm>
#include <iostream>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/terminal.h"
#include "eval/result/render.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;
using config::FieldRole;
using config::RequestField;
using config::Texts;

// The values of a repeatable option, lists taken apart, or the one value of another.
Texts values_of(const OptionValues& values, const RequestField& field) {
  if (!field.repeats) return {text_option(values, field.name)};
  if (!field.is_list) return list_option(values, field.name);
  return names_option(values, field.name);
}

}  // namespace

void add_options(const config::RequestFields& fields, CommandSyntax& syntax) {
  for (const RequestField& field : fields.all()) {
    if (field.is_hidden) continue;
    const std::string names =
        field.name + (field.letter == '\0' ? "" : "," + std::string(1, field.letter));
    auto add = syntax.options.add_options();
    if (field.value_name.empty()) {
      add(names.c_str(), field.help.c_str());
    } else if (field.repeats) {
      auto* const value = po::value<Texts>()->value_name(field.value_name);
      if (field.is_required) value->required();
      if (field.is_multitoken) value->multitoken();
      add(names.c_str(), value, field.help.c_str());
    } else {
      auto* const value = po::value<std::string>()->value_name(field.value_name);
      const std::string text = field.text && field.value_name != "X" ? field.text(field) : "";
      if (field.is_required) value->required();
      if (!text.empty() && !field.is_required) value->default_value(text);
      add(names.c_str(), value, field.help.c_str());
    }
    const bool takes_all = field.repeats && !field.is_list;
    if (field.is_positional) syntax.positional.add(field.name.c_str(), takes_all ? -1 : 1);
    if (field.lists_metrics) syntax.metrics = field.name;
    if (!field.allowed.empty()) syntax.choices[field.name] = field.allowed;
  }
}

void set_given(const OptionValues& values, config::RequestFields& fields) {
  for (const RequestField& field : fields.all()) {
    if (field.is_hidden || !is_given(values, field.name)) continue;
    if (field.value_name.empty()) {
      fields.set(field.name, {""});
      continue;
    }
    Texts texts;
    for (const std::string& text : values_of(values, field)) {
      const bool is_read = field.role == FieldRole::input;
      const bool is_stream = text == "-" && (is_read || field.may_be_stdout);
      texts.push_back(!is_stream ? text : is_read ? kStandardInput : kStandardOutput);
    }
    fields.set(field.name, texts);
  }
}

void check_output(const OptionValues& values, const config::RequestFields& fields,
                  const ResultOutput& output) {
  if (!output.records.empty() && !output.formats.empty()) {
    throw InputError("--records and --format are both given", "command line",
                     "leave one of them out: --records prints CSV");
  }
  const bool is_json = std::ranges::count(output.formats, OutputFormat::json) > 0;
  const bool is_csv = output.formats == std::vector{OutputFormat::csv};
  const bool has_file = !output.report.empty() || !output.summary.empty();
  for (const RequestField& field : fields.all()) {
    const bool is_none = field.value_name == "N" && !field.repeats;
    if (!is_given(values, field.name) || (is_none && text_option(values, field.name) == "0")) {
      continue;
    }
    if (field.needs_json && !is_json && output.summary.empty()) {
      throw InputError("--" + field.name + " without JSON, which alone shows it", "command line",
                       "add --format json or --summary FILE");
    }
    if (!field.shows_records || !is_csv || has_file) continue;
    throw InputError(
        "--" + field.name + " without a place to show the rows: --format csv holds measurements",
        "command line",
        "name another format, or a --report, or print the rows with --records NAME");
  }
}

std::vector<std::string> names_of_records(const Result& result) {
  std::vector<std::string> names;
  for (const Records& records : result.records) names.push_back(records.name);
  return names;
}

void require_records(const std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::count(names, name) > 0) return;
  if (names.empty()) {
    throw InputError("this result has no tables of records", "--records " + name,
                     "leave it out, and name a --format");
  }
  throw unknown_name("table of records", name, names, "--records " + name);
}

void print_result(const Result& result, const ResultOutput& output) {
  if (!result.signature.empty()) log_info(result.signature);
  const auto printed = [&](OutputFormat format) { return print(result, format, terminal_width()); };
  const bool has_csv = std::ranges::count(output.formats, OutputFormat::csv) > 0;
  if (has_csv || !output.records.empty()) {
    for (const std::string& note : eval::all_notes(result)) {
      const bool is_warning = std::ranges::count(result.warnings, note) > 0;
      is_warning ? log_warning(note) : log_info(note);
    }
  }
  if (!output.records.empty()) {
    std::cout << records_csv(*std::ranges::find(result.records, output.records, &Records::name));
  } else if (output.formats.size() < 2) {
    std::cout << printed(output.formats.empty() ? OutputFormat::text : output.formats.front());
  } else {
    Json all{Json::Object()};
    for (const OutputFormat format : output.formats) {
      all[kFormats.at(static_cast<size_t>(format))] = printed(format);
    }
    std::cout << all.dump(2) << "\n";
  }
}

}  // namespace rubric::cli
