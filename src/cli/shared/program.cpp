#include "cli/shared/program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <new>
#include <sstream>
#include <utility>

#include "cli/list.h"
#include "cli/shared/neural_half.h"
#include "cli/shared/requests.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/embedded.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/system/terminal.h"
#include "core/text/ascii.h"
#include "distributed/launch.h"
#include "eval/report/report.h"
#include "metrics/list.h"
#include "rubric/version.h"

namespace rubric::cli {

namespace {

// Whether an argument is this option, be it in a group of short ones: -h, -qh.
bool is_option(const std::string& argument, const char* name, char letter) {
  const bool is_group = argument.size() > 1 && argument[0] == '-' &&
                        argument.find_first_not_of("hqV", 1) == std::string::npos;
  return argument == name || (is_group && argument.find(letter) != std::string::npos);
}

bool is_help(const std::string& argument) {
  return is_option(argument, "--help", 'h');
}

bool is_version(const std::string& argument) {
  return is_option(argument, "--version", 'V');
}

void print_version() {
  std::printf("rubric %s\n", version_with_build().c_str());
}

void print_help(std::FILE* stream) {
  std::fprintf(stream,
               "rubric %s: trains and evaluates the metrics of reading comprehension\n\n"
               "usage: rubric COMMAND [options]; rubric help COMMAND explains each\n\n",
               kVersion);
  for (const Command* const command : kCommands) {
    std::fprintf(stream, "  %-10s %s\n", command->name.data(), command->summary.data());
  }
  std::fputs(
      "\nexamples:\n"
      "  rubric score f1,em --input answers.csv\n"
      "  rubric evaluate agreement --input scored.jsonl --human judge\n"
      "  rubric help score\n",
      stream);
}

std::string line_of_command;

constexpr char kExamples[] = "\n\nexamples:\n";

// The file in cli/usage that is about the command.
std::string usage_file(const Command& command) {
  std::string name = words_of(command);
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return std::string(embedded_text("cli/usage/" + name + ".txt"));
}

CommandSyntax call_syntax(const Command& command) {
  CommandSyntax syntax;
  const std::unique_ptr<config::Call> call = command.make_call();
  add_options(call->fields, syntax);
  if (!call->has_result) return syntax;
  ResultOutput output;
  config::RequestFields output_fields;
  output.visit_fields(output_fields);
  add_options(output_fields, syntax);
  return syntax;
}

void print_subcommands(const Command& command) {
  const std::string name(command.name), upper = ascii_upper(command.subcommand_name);
  size_t longest = 0;
  for (const Command* const each : command.subcommands)
    longest = std::max(longest, each->name.size());
  std::printf("usage: rubric %s %s [options]; rubric %s %s --help explains each\n\n%s\n\n",
              name.c_str(), upper.c_str(), name.c_str(), upper.c_str(),
              std::string(command.summary).c_str());
  for (const Command* const each : command.subcommands) {
    std::printf("  %-*s  %s\n", static_cast<int>(longest), each->name.data(), each->summary.data());
  }
  std::printf("\nexamples:\n");
  for (const std::string& example : examples_of(command)) std::printf("  %s\n", example.c_str());
}

// Whether a stopped call has kept what the same call goes on with.
bool resumes(const Command& command, const Arguments& arguments) {
  const CommandSyntax syntax = syntax_of(command);
  if (command.resumes || syntax.metrics.empty()) return command.resumes;
  const std::optional<OptionValues> values = parse_options(syntax, arguments);
  return values && std::ranges::any_of(names_option(*values, syntax.metrics), [](const auto& name) {
           return metrics::require_metric(name).resumes;
         });
}

// Sets the fields of a call and of its output. Returns false after --help.
bool set_fields(const Command& command, const Arguments& arguments, config::Call& call,
                ResultOutput& output) {
  const std::optional<OptionValues> values = parse_options(syntax_of(command), arguments);
  if (!values) return false;
  config::RequestFields output_fields;
  if (call.has_result) output.visit_fields(output_fields);
  set_given(*values, call.fields);
  set_given(*values, output_fields);
  call.fields.require_needed();
  if (call.records && !output.records.empty()) require_records(*call.records, output.records);
  config::check_written_files({&call.fields, &output_fields});
  check_output(*values, call.fields, output);
  return true;
}

// Parses, checks the files that it writes, and prints.
int run_call(const Command& command, const Arguments& arguments) {
  line_of_command = eval::shell_command("rubric " + words_of(command), arguments);
  const std::unique_ptr<config::Call> call = command.make_call();
  ResultOutput output;
  try {
    if (!set_fields(command, arguments, *call, output)) return kDone;
  } catch (const InputError&) {
    const bool is_alone = !command.has_ranks || distributed::read_launch().size == 1;
    if (!is_alone) neural_half().end_ranks(std::current_exception());
    throw;
  }
  Context context = current_context();
  context.threads = static_cast<size_t>(output.threads);
  Result result;
  try {
    result = call->run(context);
  } catch (const Interrupted& stop) {
    throw Interrupted(stop.what(), "",
                      resumes(command, arguments)
                          ? "start the same command again to resume"
                          : "start the same command again, from the beginning: nothing was kept");
  }
  if (!call->has_result) return kDone;
  if (!output.records.empty()) require_records(names_of_records(result), output.records);
  if (!output.summary.empty()) write_file(output.summary, print(result, OutputFormat::json));
  if (!output.report.empty()) write_report(result, output.report, command_line());
  const bool is_empty =
      result.title.empty() && result.measurements.empty() && result.records.empty();
  if (!is_empty) print_result(result, output);
  if (!result.failure.empty()) throw Error(result.failure);
  return kDone;
}

// The one of `list` that is called so. Throws InputError with the command line where another
// command, or a subcommand, is: "rubric evaluate agreement" for `rubric agreement`.
const Command& require_named(List<Command> list, const std::string& name, const std::string& kind) {
  if (const Command* const found = find(list, name)) return *found;
  std::vector<std::pair<std::string, std::string>> lines;  // by name
  for (const Command* const command : kCommands) {
    const std::string line = "rubric " + std::string(command->name);
    lines.emplace_back(command->name, line);
    for (const Command* const subcommand : command->subcommands) {
      lines.emplace_back(subcommand->name, line + " " + std::string(subcommand->name));
    }
  }
  std::vector<std::string> same;
  for (const auto& [called, line] : lines) {
    if (called == name) same.push_back(line);
  }
  if (same.empty()) throw unknown_name(kind, name, names_of(list), "", lines);
  throw InputError("there is no " + kind + " called " + json_quote(name), "",
                   "write " + join(same, " or "));
}

// The command, or subcommand, that the program's name or the arguments name, whose words are taken
// off the arguments; null after a page of help, or the version, is printed.
const Command* named_command(const Command* command, Arguments& arguments) {
  List<Command> list = kCommands;
  std::string kind = "command";
  if (command == nullptr && arguments[0] == "help" && arguments.size() > 1) {  // help COMMAND
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  while (command == nullptr || !command->subcommands.empty()) {
    if (command != nullptr) {
      list = command->subcommands;
      kind = command->subcommand_name;
    }
    if (arguments.empty()) {
      throw InputError("no " + kind + " is named", "rubric " + std::string(command->name),
                       "name one of " + join(names_of(list)));
    }
    if (is_help(arguments[0]) || (command == nullptr && arguments[0] == "help")) {
      command == nullptr ? print_help(stdout) : print_subcommands(*command);
      return nullptr;
    }
    if (is_version(arguments[0])) {
      print_version();
      return nullptr;
    }
    command = &require_named(list, arguments[0], kind);
    arguments.erase(arguments.begin());
  }
  return command;
}

}  // namespace

std::string words_of(const Command& command) {
  return (command.parent.empty() ? "" : std::string(command.parent) + " ") +
         std::string(command.name);
}

CommandSyntax syntax_of(const Command& command) {
  CommandSyntax syntax = call_syntax(command);
  const std::string text = usage_file(command);
  syntax.usage = text.substr(0, text.find(kExamples));
  if (command.listed != nullptr) {
    for (const auto& [name, listed] : command.listed()) {
      replace_all(syntax.usage, "{" + name + "}", listed);
    }
  }
  syntax.examples = examples_of(command);
  return syntax;
}

std::vector<std::string> examples_of(const Command& command) {
  const std::string text = "\n\n" + usage_file(command);  // some hold examples alone
  std::istringstream lines(text.substr(text.find(kExamples) + std::strlen(kExamples)));
  std::vector<std::string> examples;
  for (std::string line; std::getline(lines, line);) examples.emplace_back(trim(line));
  return examples;
}

const std::string& command_line() {
  return line_of_command;
}

int run_program(int argc, char** argv) {
  set_program_context(terminal_context());
  // Exceeding a file-size limit is then a write error, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    end_with_parent();
    const std::string called_as = argc > 0 ? std::filesystem::path(argv[0]).filename() : "";
    Arguments arguments(argv + std::min(argc, 1), argv + argc);
    const Command* const called = find<Command>(kCommands, called_as);
    int code = kDone;
    if (called == nullptr && arguments.empty()) {
      print_help(stderr);
      code = kBadInput;
    } else if (called == nullptr && arguments == Arguments{kWorker}) {
      code = neural_half().serve_requests();
    } else if (const Command* const command = named_command(called, arguments)) {
      code = run_call(*command, arguments);
    }
    // Unwritten results are a failure; std::cout and printf share this stream.
    if (std::fflush(stdout) != 0 || !std::cout.flush()) {
      throw Error(std::string("cannot write: ") + std::strerror(errno), "standard output");
    }
    return code;
  } catch (const Interrupted& stop) {
    log_warning(stop.what());
    return kInterrupted;
  } catch (const InputError& error) {
    log_error(error.what());
    return kBadInput;
  } catch (const std::filesystem::filesystem_error& error) {
    log_error(Error(error.code().message(), error.path1().string()).what());
    return kFailed;
  } catch (const std::bad_alloc&) {
    log_error(
        "out of memory\n  to do: compute less at once (batches.max_tokens, --batch, --beams, "
        "--threads)");
    return kFailed;
  } catch (const std::exception& error) {
    log_error(error.what());
    return kFailed;
  }
}

}  // namespace rubric::cli
