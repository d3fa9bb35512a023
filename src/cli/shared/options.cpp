#include "cli/shared/options.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>

#include "cli/list.h"
#include "config/printer.h"
#include "core/context.h"
#include "core/error.h"
#include "core/system/terminal.h"
#include "rubric/version.h"
#include "train/settings/train_config.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

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
  for (const auto& [key, value_there] : config::config_values(train::TrainConfig())) {
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
    if (command->subcommands.empty()) add(*command);
    for (const Command* const subcommand : command->subcommands) add(*subcommand);
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

// Calls `take` with the options that the arguments are.
template <class Take>
void parse(const CommandSyntax& syntax, const std::vector<std::string>& arguments,
           const Take& take) {
  // No abbreviations: a script that relies on one breaks when the next option is added.
  constexpr int kStyle =
      po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  try {
    take(po::command_line_parser(arguments)
             .options(syntax.options)
             .positional(syntax.positional)
             .style(kStyle)
             .run());
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
}

}  // namespace

void add_common_options(CommandSyntax& syntax) {
  syntax.options.add_options()("quiet,q", "only warnings and errors on stderr")(
      "version,V", "print the version and stop")("help,h", "print this and stop");
}

std::optional<OptionValues> parse_options(CommandSyntax syntax,
                                          const std::vector<std::string>& arguments) {
  add_common_options(syntax);
  OptionValues values;
  parse(syntax, arguments, [&](const po::parsed_options& parsed) {
    po::store(parsed, values);
    if (!values.contains("help") && !values.contains("version")) po::notify(values);
  });
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

std::map<std::string, std::vector<std::string>> given_texts(
    CommandSyntax syntax, const std::vector<std::string>& arguments) {
  add_common_options(syntax);
  std::map<std::string, std::vector<std::string>> texts;
  parse(syntax, arguments, [&](const po::parsed_options& parsed) {
    for (const auto& option : parsed.options) {
      std::vector<std::string>& of_option = texts[option.string_key];
      of_option.insert(of_option.end(), option.value.begin(), option.value.end());
    }
  });
  return texts;
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

void take_threads(int64_t threads) {
  Context context = current_context();
  context.threads = static_cast<size_t>(threads);
  set_program_context(context);
}

}  // namespace rubric::cli
