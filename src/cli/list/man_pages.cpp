// Manual pages: one for rubric, and one for each command and subcommand, with what --help prints.
#include <sstream>
#include <string>
#include <vector>

#include "cli/list.h"
#include "cli/list/command_lines.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"
#include "rubric/version.h"

namespace rubric::cli {
namespace {

// The text as troff prints it unchanged. A dot at the start of a line would be a request.
std::string escaped(std::string text) {
  for (const auto& [what, by] : {std::pair("\\", "\\e"), {"-", "\\-"}, {"'", "\\(aq"}})
    replace_all(text, what, by);
  replace_all(text, "\n.", "\n\\&.");
  return text;
}

// Lines that stay as they are.
std::string section(const std::string& title, const std::string& lines) {
  return lines.empty() ? "" : ".SH " + title + "\n.nf\n" + escaped(lines) + "\n.fi\n";
}

std::string lines_of(const std::string& called, List<Command> commands) {
  std::vector<std::string> lines;
  for (const Command* const subcommand : commands)
    lines.push_back(called + " " + std::string(subcommand->name) + "\n    " +
                    std::string(subcommand->summary));
  return join(lines, "\n");
}

void write_page(const std::filesystem::path& folder, const std::string& called,
                const std::string& summary, const std::string& synopsis,
                const std::string& sections) {
  std::string name = called;
  replace_all(name, " ", "-");
  write_file(
      folder / (name + ".1"),
      ".TH " + escaped(ascii_upper(name)) + " 1 \"\" \"rubric " + kVersion +
          "\" \"rubric\"\n.SH NAME\n" + escaped(name) + " \\- " + escaped(summary) + "\n" +
          section("SYNOPSIS", synopsis) + sections +
          section("EXIT STATUS",
                  "0: done; 1: failed while running; 2: the input was wrong, and nothing was "
                  "started;\n75: stopped on request; a message says whether the same command "
                  "goes on from there.") +
          section("SEE ALSO", "rubric(1), rubric help"));
}

}  // namespace

void write_man_pages(const std::filesystem::path& folder) {
  make_directories(folder);
  write_page(folder, "rubric", "trains and evaluates the metrics of reading comprehension",
             "rubric COMMAND [options]\nrubric help COMMAND",
             section("DESCRIPTION", lines_of("rubric", kCommands)));
  for (const CommandLine& line : command_lines()) {
    const Command& command = *line.command;
    const std::string called = "rubric " + line.name();
    std::string synopsis = called + " " + ascii_upper(command.subcommand_name) + " [options]",
                description = lines_of(called, command.subcommands);
    std::ostringstream options;
    if (command.subcommands.empty()) {
      const std::string usage = syntax_of(command).usage;
      const size_t end = std::min(usage.find("\n\n"), usage.size());
      synopsis = usage.substr(0, end);
      description = usage.substr(std::min(end + 2, usage.size()));
      options << line.options;
    }
    write_page(folder, called, std::string(command.summary), synopsis,
               section("DESCRIPTION", description) + section("OPTIONS", options.str()) +
                   section("EXAMPLES", join(examples_of(command), "\n")));
  }
}

}  // namespace rubric::cli
