#include "cli/shared/options.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>

#include "cli/list.h"
#include "config/printer.h"
#include "core/context.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/terminal.h"
#include "core/text/ascii.h"
#include "eval/result/render.h"
#include "rubric/version.h"
#include "train/settings/train_config.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

// In the order of OutputFormat.
const std::vector<std::string> kFormats = {"text", "json", "markdown", "csv", "latex", "html"};

bool is_positional_option(const CommandSyntax& syntax, const std::string& name) {
  constexpr unsigned kMostNamed = 8;  // a position without end has a name, too
  const unsigned count = std::min(syntax.positional.max_total_count(), kMostNamed);
  for (unsigned i = 0; i < count; ++i) {
    if (syntax.positional.name_for_position(i) == name) return true;
  }
  return false;
}

// "write --set run.epochs=2" where the command reads a configuration that has such a key;
// `is_nearest`: or one with nearly this name.
std::string key_hint(const CommandSyntax& syntax, std::string name, const std::string& value,
                     bool is_nearest) {
  if (syntax.options.find_nothrow("set", false) == nullptr) return "";
  std::ranges::replace(name, '-', '_');
  std::vector<std::string> names, same;
  std::map<std::string, std::string> keys;  // by their names, whole and without their group
  for (const std::string& key : config::config_keys<train::TrainConfig>()) {
    const std::string last = key.substr(key.rfind('.') + 1);
    if (key == name || last == name) same.push_back(key);
    for (const std::string& each : {key, last}) {
      keys.emplace(each, key);
      names.push_back(each);
    }
  }
  if (same.empty() && is_nearest) {
    const std::string nearest = nearest_name(name, names);
    if (!nearest.empty()) same.push_back(keys.at(nearest));
  }
  for (std::string& key : same) key = "--set " + key + "=" + value;
  return same.empty() ? "" : "write " + join(same, " or ");
}

// "`rubric score` has it" of other commands and their subcommands.
std::string commands_hint(const std::string& name) {
  std::vector<std::string> commands;
  const auto add = [&](const Command& command) {
    if (syntax_of(command).options.find_nothrow(name, false) == nullptr) return;
    commands.push_back("rubric " + words_of(command));
  };
  for (const Command* const command : kCommands) {
    if (command->parts.empty()) add(*command);
    for (const Command* const part : command->parts) add(*part);
  }
  if (commands.empty()) return "";
  return "it is an option of " + join_some(std::move(commands));
}

[[noreturn]] void throw_unknown_option(const po::unknown_option& error, const CommandSyntax& syntax,
                                       const std::vector<std::string>& arguments) {
  std::string name = error.get_option_name();
  name.erase(0, name.find_first_not_of('-'));
  name.erase(std::min(name.find('='), name.size()));
  std::string value = "VALUE";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = "--" + name;
    if (arguments[i].starts_with(option + "=")) value = arguments[i].substr(option.size() + 1);
    const bool has_next = i + 1 < arguments.size() && !arguments[i + 1].starts_with("-");
    if (arguments[i] == option && has_next) value = arguments[i + 1];
  }
  const std::string problem = "there is no option --" + name;
  std::string hint = key_hint(syntax, name, value, /*is_nearest=*/false);
  if (!hint.empty()) throw InputError(problem, "command line", hint);
  std::vector<std::string> names, hints;
  const po::options_description shown = shown_options(syntax);
  for (const auto& option : shown.options()) names.push_back(option->long_name());
  const std::string nearest = nearest_name(name, names);
  if (!nearest.empty()) hints.push_back("did you mean --" + nearest + "?");
  if (nearest.empty()) hints.push_back(key_hint(syntax, name, value, /*is_nearest=*/true));
  if (name.size() > 1) hints.push_back(commands_hint(name));
  std::erase(hints, "");
  throw InputError(problem, "command line",
                   hints.empty() ? "--help lists the options" : join(hints, "; "));
}

std::string too_many_hint(const CommandSyntax& syntax) {
  if (!syntax.metrics.empty()) {
    return "write --input before the file's name, separate metrics by commas (f1,em), and write "
           "option values after their option";
  }
  if (syntax.options.find_nothrow("config", false) != nullptr) {
    return "write --config before the configuration's name, and option values behind their option";
  }
  if (syntax.options.find_nothrow("input", false) != nullptr) {
    return "write --input before the name of a file, and option values behind their option";
  }
  return "write option values after their option; --help lists the options";
}

OptionValues parse(const CommandSyntax& syntax, const std::vector<std::string>& arguments) {
  // No abbreviations: a script that relies on one breaks when the next option is added.
  constexpr int kStyle =
      po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  OptionValues values;
  try {
    const po::parsed_options parsed = po::command_line_parser(arguments)
                                          .options(syntax.options)
                                          .positional(syntax.positional)
                                          .style(kStyle)
                                          .run();
    po::store(parsed, values);
    if (!values.contains("help") && !values.contains("version")) po::notify(values);
  } catch (const po::unknown_option& error) {
    throw_unknown_option(error, syntax, arguments);
  } catch (const po::too_many_positional_options_error&) {
    throw InputError("too many arguments", "command line", too_many_hint(syntax));
  } catch (const po::required_option& error) {
    std::string name = error.get_option_name();
    name.erase(0, name.find_first_not_of('-'));
    const bool is_positional = is_positional_option(syntax, name);
    const po::option_description& option = syntax.options.find(name, /*approx=*/false);
    throw InputError(
        (is_positional ? "the " + name + " is" : "--" + name + " is") + " missing", "command line",
        (is_positional ? "name it: " : "add --" + name + " " + option.semantic()->name() + ": ") +
            option.description() + "; --help shows what to write");
  } catch (const po::error& error) {
    throw InputError(error.what(), "command line", "--help lists the options");
  }
  return values;
}

}  // namespace

void add_common_options(CommandSyntax& syntax) {
  syntax.options.add_options()("quiet,q", "only warnings and errors on stderr")(
      "version,V", "print the version and stop")("help,h", "print this and stop");
}

std::optional<OptionValues> parse_options(CommandSyntax syntax,
                                          const std::vector<std::string>& arguments) {
  add_common_options(syntax);
  const OptionValues values = parse(syntax, arguments);
  if (values.contains("help")) {
    std::cout << syntax.usage << "\n\n" << shown_options(syntax);
    if (!syntax.examples.empty()) std::cout << "\nexamples:\n";
    for (const std::string& example : syntax.examples) std::cout << "  " << example << "\n";
    return std::nullopt;
  }
  if (values.contains("version")) {
    std::cout << "rubric " << version_with_build() << "\n";
    return std::nullopt;
  }
  if (values.contains("quiet")) set_quiet(true);
  return values;
}

po::options_description shown_options(const CommandSyntax& syntax) {
  po::options_description shown("options");
  for (const auto& option : syntax.options.options()) {
    const std::string& name = option->long_name();
    if (is_positional_option(syntax, name)) continue;
    shown.add(option);
  }
  return shown;
}

bool is_given(const OptionValues& values, const std::string& option) {
  return values.contains(option) && !values[option].defaulted();
}

std::string text_option(const OptionValues& values, const std::string& name) {
  return values.contains(name) ? values[name].as<std::string>() : "";
}

std::string file_option(const OptionValues& values, const std::string& name) {
  const std::string file = text_option(values, name);
  if (file.empty() && values.contains(name)) {
    throw InputError("--" + name + " is empty", "command line",
                     "name a file or folder, or leave --" + name + " out");
  }
  return file;
}

std::string output_option(const OptionValues& values, const std::string& name) {
  const std::string file = file_option(values, name);
  require_writable(file, "--" + name + " " + file);
  return file;
}

void check_replaces_none(const std::string& name, const std::string& file,
                         const std::vector<std::string>& others) {
  const std::vector<std::filesystem::path> paths(others.begin(), others.end());
  require_replaces_none(file, paths, "--" + name + " " + file);
}

std::vector<std::string> list_option(const OptionValues& values, const std::string& name) {
  return values.contains(name) ? values[name].as<std::vector<std::string>>()
                               : std::vector<std::string>();
}

std::vector<std::string> names_option(const OptionValues& values, const std::string& name) {
  std::vector<std::string> names;
  for (const std::string& list : list_option(values, name)) {
    std::ranges::move(split_names(list), std::back_inserter(names));
  }
  return names;
}

void require_distinct(const std::string& kind, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::count(names, name) > 1) {
      throw InputError("the " + kind + " " + name + " is named twice", "command line",
                       "name it once");
    }
  }
}

int64_t integer_option(const OptionValues& values, const std::string& name, int64_t low,
                       int64_t high) {
  const int64_t value = values[name].as<int64_t>();
  if (value >= low && value <= high) return value;
  throw InputError(
      "--" + name + " is " + std::to_string(value), "command line",
      "give a whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

std::string decoder_start_option(const OptionValues& values) {
  const std::string start = text_option(values, "decoder-start");
  if (start.empty() || start == "model" || start == "last-input") return start;
  throw InputError("there is no such decoder start", "--decoder-start " + start,
                   "give model or last-input");
}

void add_config_options(CommandSyntax& syntax) {
  syntax.options.add_options()("config", po::value<std::string>()->value_name("FILE"),
                               "as given, else looked up under configs/")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "overrides one key, such as optimizer.learning_rate=1e-5; may be repeated");
}

std::string config_option(const OptionValues& values) {
  if (values.contains("config")) return file_option(values, "config");
  throw InputError("no configuration is named", "command line", "add --config FILE");
}

void take_threads(int64_t threads) {
  Context context = current_context();
  context.threads = static_cast<size_t>(threads);
  set_program_context(context);
}

void take_threads_option(const OptionValues& values) {
  constexpr int64_t kMostThreads = 4096;
  take_threads(integer_option(values, "threads", 0, kMostThreads));
}

void add_input_format_option(CommandSyntax& syntax) {
  syntax.options.add_options()("input-format", po::value<std::string>()->value_name("NAME"),
                               "a format of `rubric list readers`; else by the file's name")(
      "delimiter", po::value<std::string>()->value_name("CHARACTER"),
      "between the columns of a table, such as ';' or tab; else the format's");
}

char delimiter_option(const OptionValues& values) {
  const std::string text = text_option(values, "delimiter");
  if (text.empty() && values.contains("delimiter")) {
    throw InputError("a delimiter is one ASCII character", "--delimiter",
                     "give one such as ';' or '|', or the word tab");
  }
  return data::delimiter_named(text);
}

data::InputFormat input_format_option(const OptionValues& values, const std::string& file) {
  return data::input_format(text_option(values, "input-format"), file, "--input-format",
                            delimiter_option(values));
}

void add_missing_option(CommandSyntax& syntax) {
  syntax.options.add_options()("missing", po::value<std::string>()->value_name("RULE"),
                               "rows that lack a value: empty (a text is read as \"\"), drop (the "
                               "row), or error; automatic: "
                               "empty for candidates, error for references, labels and scores");
}

void add_format_option(CommandSyntax& syntax) {
  syntax.options.add_options()(
      "format", po::value<std::string>()->default_value("text")->value_name("NAME"),
      "text, json, markdown, csv, latex or html; several, such as text,json, "
      "come as an object of JSON")("records", po::value<std::string>()->value_name("NAME"),
                                   kRecordsHelp);
}

namespace {

eval::OutputFormat format_of(const std::string& name) {
  const auto found = std::find(kFormats.begin(), kFormats.end(), name);
  if (found == kFormats.end()) throw unknown_name("format", name, kFormats);
  return static_cast<eval::OutputFormat>(found - kFormats.begin());
}

}  // namespace

bool Formats::has(eval::OutputFormat format) const {
  return std::ranges::count(formats, format) > 0;
}

Formats formats_option(const OptionValues& values) {
  const std::vector<std::string> names = split_names(text_option(values, "format"));
  require_distinct("format", names);
  Formats formats{{}, text_option(values, "records")};
  for (const std::string& name : names) formats.formats.push_back(format_of(name));
  return checked(std::move(formats), !values["format"].defaulted());
}

Formats checked(Formats formats, bool has_format) {
  if (formats.records.empty() || !has_format) return formats;
  throw InputError("--records and --format are both given", "command line",
                   "leave one of them out: --records prints CSV");
}

void require_place_for_records(const std::string& option, const Formats& formats,
                               const std::string& report) {
  const bool is_csv = formats.formats == std::vector{eval::OutputFormat::csv};
  if (!is_csv || !report.empty()) return;
  throw InputError(option + " without a place to show the rows: --format csv holds measurements",
                   "command line",
                   "name another format, or a --report, or print the rows with --records NAME");
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

void print_result(const Result& result, const Formats& formats) {
  if (!result.signature.empty()) log_info(result.signature);
  if (formats.has(eval::OutputFormat::csv) || !formats.records.empty()) {
    for (const std::string& note : eval::all_notes(result)) {
      const bool is_warning = std::ranges::count(result.warnings, note) > 0;
      is_warning ? log_warning(note) : log_info(note);
    }
  }
  if (!formats.records.empty()) {
    require_records(names_of_records(result), formats.records);
    std::cout << records_csv(*std::ranges::find(result.records, formats.records, &Records::name));
    return;
  }
  if (formats.formats.size() == 1) {
    std::cout << print(result, formats.formats.front(), terminal_width());
    return;
  }
  Json all{Json::Object()};
  for (const eval::OutputFormat format : formats.formats) {
    all[kFormats[static_cast<size_t>(format)]] = print(result, format, terminal_width());
  }
  std::cout << all.dump(2) << "\n";
}

}  // namespace rubric::cli
