// Manual pages: one for rubric, and one for each command and part of one.
#include <algorithm>
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

namespace po = boost::program_options;

// The text as troff prints it unchanged.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
  }
  // A dot at the start of a line would be a request.
  return result.starts_with(".") ? "\\&" + result : result;
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string section(const std::string& title) {
  return ".SH " + title + "\n";
}

// Lines that stay as they are.
std::string unfilled(const std::vector<std::string>& lines) {
  std::string text = ".nf\n";
  for (const std::string& line : lines) text += escaped(line) + "\n";
  return text + ".fi\n";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The first paragraph of `usage`, without the word "usage:", and what follows it.
std::string synopsis_and_description(const std::string& usage) {
  constexpr size_t kLabel = 7;  // "usage: ", and the blanks below it
  std::vector<std::string> synopsis;
  std::string description;
  bool is_synopsis = true, is_table = false;
  for (const std::string& line : lines_of(usage)) {
    if (is_synopsis && !line.empty()) {
      synopsis.push_back(line.substr(std::min(kLabel, line.size())));
      continue;
    }
    if (is_synopsis) {
      is_synopsis = false;
      continue;
    }
    const bool is_indented = line.starts_with("  ");
    if (is_indented != is_table) description += is_indented ? ".nf\n" : ".fi\n";
    is_table = is_indented;
    description += line.empty() ? ".PP\n" : escaped(line) + "\n";
  }
  if (is_table) description += ".fi\n";
  return section("SYNOPSIS") + unfilled(synopsis) + section("DESCRIPTION") + description;
}

std::string option_entry(const po::option_description& option) {
  std::string names, value = option.format_parameter();
  if (const std::string letter = short_name(option); !letter.empty()) {
    names = bold("-" + letter) + ", ";
  }
  names += bold("--" + option.long_name());
  if (value == "arg") value.clear();
  if (!value.empty()) names += " \\fI" + escaped(value) + "\\fR";
  std::string help;
  for (const std::string& line : lines_of(option.description())) help += escaped(line) + "\n";
  return ".TP\n" + names + "\n" + help;
}

std::string page_name(const std::vector<std::string>& words) {
  return words.empty() ? "rubric" : "rubric-" + join(words, "-");
}

std::string heading(const std::vector<std::string>& words, const std::string& summary) {
  return ".TH " + escaped(ascii_upper(page_name(words))) + " 1 \"\" \"rubric " + kVersion +
         "\" \"rubric\"\n" + section("NAME") + escaped(page_name(words)) + " \\- " +
         escaped(summary) + "\n";
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string text = section("SEE ALSO");
  for (size_t i = 0; i < pages.size(); ++i) {
    text += ".BR " + escaped(pages[i]) + " (1)" + (i + 1 < pages.size() ? "," : "") + "\n";
  }
  return text;
}

std::string exit_status() {
  return section("EXIT STATUS") +
         "0: done; 1: failed while running; 2: the input was wrong, and nothing was started; 75: "
         "stopped on\nrequest; a message says whether the same command goes on from there.\n";
}

// What a command with parts, and rubric itself, have in the place of options.
std::string parts_of(const std::vector<std::string>& words, List<Command> parts) {
  std::string text;
  for (const Command* const part : parts) {
    text += ".TP\n" + bold(join(words, " ") + " " + std::string(part->name)) + "\n" +
            escaped(std::string(part->summary)) + "\n";
  }
  return text;
}

std::string command_page(const CommandLine& line) {
  const Command& command = *line.command;
  std::string page = heading(line.words, std::string(command.summary));
  std::vector<std::string> others = {"rubric"};
  if (command.parts.empty()) {
    page += synopsis_and_description(syntax_of(command).usage) + section("OPTIONS");
    for (const auto& option : line.options.options()) page += option_entry(*option);
    if (line.words.size() > 1) others.push_back(page_name({line.words.front()}));
  } else {
    const std::string called = "rubric " + line.name();
    page += section("SYNOPSIS") +
            unfilled({called + " " + ascii_upper(command.part_name) + " [options]"}) +
            section("DESCRIPTION") + parts_of({called}, command.parts);
    for (const Command* const part : command.parts) {
      others.push_back(page_name({line.words.front(), std::string(part->name)}));
    }
  }
  const std::vector<std::string> examples = examples_of(command);
  if (!examples.empty()) page += section("EXAMPLES") + unfilled(examples);
  return page + exit_status() + see_also(others);
}

std::string program_page() {
  std::vector<std::string> pages;
  for (const Command* const command : kCommands)
    pages.push_back(page_name({std::string(command->name)}));
  return heading({}, "trains and evaluates the metrics of reading comprehension") +
         section("SYNOPSIS") + unfilled({"rubric COMMAND [options]", "rubric help COMMAND"}) +
         section("DESCRIPTION") + parts_of({"rubric"}, kCommands) + exit_status() + see_also(pages);
}

}  // namespace

void write_man_pages(const std::filesystem::path& folder) {
  make_directories(folder);
  write_file(folder / "rubric.1", program_page());
  for (const CommandLine& line : command_lines()) {
    write_file(folder / (page_name(line.words) + ".1"), command_page(line));
  }
}

}  // namespace rubric::cli
