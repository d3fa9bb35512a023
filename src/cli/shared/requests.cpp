#include "cli/shared/requests.h"

#include <algorithm>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"

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

// FILE of "NAME=FILE", which some fields take and others demand.
std::string file_of(const RequestField& field, const std::string& value) {
  const size_t equals = value.find('=');
  if (equals == std::string::npos) return value;
  if (field.value_name.ends_with("=FILE")) return value.substr(equals + 1);
  const bool is_named = value.find('/') > equals && !std::filesystem::exists(value);
  return is_named ? value.substr(equals + 1) : value;
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
      const std::string text = field.default_text ? field.default_text(field) : "";
      if (field.is_required) value->required();
      if (!text.empty() && !field.is_required) value->default_value(text);
      add(names.c_str(), value, field.help.c_str());
    }
    if (field.is_positional) syntax.positional.add(field.name.c_str(), field.repeats ? -1 : 1);
    switch (field.role) {
      case FieldRole::input:
        (field.is_list ? syntax.input_lists : syntax.inputs).push_back(field.name);
        break;
      case FieldRole::output:
        syntax.outputs.push_back(field.name);
        break;
      case FieldRole::value:
        break;
    }
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
      texts.push_back(field.role == FieldRole::input && text == "-" ? kStandardInput : text);
    }
    fields.set(field.name, texts);
  }
}

void check_written_files(const OptionValues& values,
                         const std::vector<const config::RequestFields*>& fields) {
  std::vector<std::filesystem::path> taken;
  for (const config::RequestFields* const each : fields) {
    for (const RequestField& field : each->all()) {
      if (field.role != FieldRole::input || !is_given(values, field.name)) continue;
      for (const std::string& value : values_of(values, field)) {
        const bool is_again = value == "-" && std::ranges::count(taken, "-") > 0;
        taken.push_back(file_of(field, value));
        if (!is_again) continue;
        throw InputError("standard input is named twice", "--" + field.name + " -",
                         "name a file for one of the two");
      }
    }
  }
  for (const config::RequestFields* const each : fields) {
    for (const RequestField& field : each->all()) {
      if (field.role != FieldRole::output || !is_given(values, field.name)) continue;
      const std::string file = text_option(values, field.name);
      const std::string where = "--" + field.name + " " + file;
      if (file == "-") {
        throw InputError("this is no name of a file", where, "name a file, such as ./-");
      }
      if (field.is_json_lines) check_json_lines_name(file);
      if (!field.is_folder) require_writable(file, where);
      require_replaces_none(file, taken, where);
      taken.emplace_back(file);
    }
  }
}

void check_output(const OptionValues& values, const config::RequestFields& fields,
                  const ResultOutput& output) {
  const auto is_among = [&](OutputFormat format) {
    return std::ranges::count(output.formats, format) > 0;
  };
  for (const RequestField& field : fields.all()) {
    if (!is_given(values, field.name)) continue;
    if (field.value_name == "N" && !field.repeats && text_option(values, field.name) == "0")
      continue;
    if (field.needs_json && !is_among(OutputFormat::json) && output.summary.empty()) {
      throw InputError("--" + field.name + " without JSON, which alone shows it", "command line",
                       "add --format json or --summary FILE");
    }
    if (field.shows_records) {
      require_place_for_records("--" + field.name, {output.formats, output.records},
                                output.report.string() + output.summary.string());
    }
  }
}

}  // namespace rubric::cli
