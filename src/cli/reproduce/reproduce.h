// `reproduce`.
#pragma once

#include <string>

#include "cli/command.h"
#include "eval/reproduce/experiment.h"

namespace rubric::cli {

enum class Launcher { local, slurm };

struct ReproduceRequest {
  std::string experiment;
  bool is_dry_run = false, is_verbose = false;
  std::string only;  // "": all
  Launcher launcher = Launcher::local;

  void visit_fields(auto& field) {
    field("experiment", experiment, "one of the files in experiments/, such as mocha/table_4.yaml")
        .input()
        .named("FILE")
        .positional()
        .required();
    field("dry-run", is_dry_run,
          "count the steps that are done, to run and left out; touch nothing");
    field("verbose", is_verbose,
          "with --dry-run: each step with its command, and why it is left out")
        .of_records()
        .only_with("dry-run");
    field("only", only,
          "only the cells of a row or column of that name, or one (ROW/COLUMN), and the steps they "
          "need; or a step and those it needs. * ? [ ] match other characters as in a shell: quote "
          "them")
        .named("PATTERN");
    field("launcher", launcher,
          "local: run the steps here, one after the other; slurm: print a shell script that "
          "submits them to Slurm, a job array for each step")
        .named("HOW")
        .choices({"local", "slurm"});
  }
};
Result reproduce(const ReproduceRequest& request, const Context& context);

inline constexpr Command kReproduce = {
    .name = "reproduce",
    .summary = "runs what is missing behind a paper's table, prints paper against measured",
    .make_call = config::make_call<ReproduceRequest, reproduce>,
    .has_link = true,
    .resumes = true};

// The commands of an experiment's steps, from cli/list.h.
eval::StepCommands step_commands();

}  // namespace rubric::cli
