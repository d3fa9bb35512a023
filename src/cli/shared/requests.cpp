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
    const bool takes_all = field.repeats && !field.is_list;
    if (field.is_positional) syntax.positional.add(field.name.c_str(), takes_all ? -1 : 1);
    if (field.lists_metrics) syntax.metrics = field.name;
    if (!field.allowed.empty()) syntax.choices[field.name] = field.allowed;
    if (field.is_appended) syntax.appends = true;
    switch (field.role) {
      case FieldRole::input:
        (field.is_list ? syntax.input_lists : syntax.inputs).push_back(field.name);
        break;
      case FieldRole::output:
        syntax.outputs.push_back(field.name);
        break;
      case FieldRole::model:
        syntax.models.push_back(field.name);
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
      const bool is_read = field.role == FieldRole::input;
      const bool is_stream = text == "-" && (is_read || field.may_be_stdout);
      texts.push_back(!is_stream ? text : is_read ? kStandardInput : kStandardOutput);
    }
    fields.set(field.name, texts);
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
