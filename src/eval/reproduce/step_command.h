// What `reproduce` knows of the commands that steps are made of: what each declares of itself, and
// what a call of it reads. The program hands it in (cli/reproduce/reproduce.h); no command is
// named here.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rubric::eval {

struct StepCommand {
  bool prints_results = false;   // to stdout, as JSON with --format json
  bool writes_summary = false;   // of means, into the file of --summary
  bool makes_directory = false;  // a run directory, with log.jsonl and results.json
  bool appends = false;          // to its output: several calls, joined by &&, may write one
};

// What one call reads, found without running it.
struct CommandUse {
  // Files and directories, where there are such; the command says itself what is missing.
  std::vector<std::string> files;
  std::vector<std::string> models;
  std::string configuration;  // resolved: "a.b=v" a line; "" where the command takes none
  // Files that its metrics read besides; each throws InputError where they are missing.
  std::vector<std::vector<std::filesystem::path> (*)()> data;
  bool resumes = false;  // what a stopped call has written
};

struct StepCommands {
  // Throws InputError with `where` for words that begin with no command of steps.
  std::function<StepCommand(const std::vector<std::string>& words, const std::string& where)>
      describe;
  // Throws InputError for a configuration that cannot be read.
  std::function<CommandUse(const std::vector<std::string>& words)> use_of;
};

}  // namespace rubric::eval
