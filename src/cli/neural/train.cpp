// rubric train: trains a configuration into a run directory.
#include <exception>
#include <filesystem>
#include <iostream>

#include "cli/neural/commands.h"
#include "cli/neural/run_on_ranks.h"
#include "cli/shared/options.h"
#include "cli/shared/train_command.h"
#include "config/printer.h"
#include "core/error.h"
#include "core/system/signals.h"
#include "core/system/terminal.h"
#include "distributed/collective.h"
#include "eval/report/report.h"
#include "library/neural/training.h"
#include "train/settings/train_config.h"

namespace rubric::cli {
namespace {

// The run directory that --output or --resume names, or "".
std::string named_directory(const OptionValues& values) {
  const std::string output = file_option(values, "output"), resume = file_option(values, "resume");
  if (resume == "auto" || resume == "never") return output;
  if (!output.empty()) {
    throw InputError("two run directories are named", "--output and --resume", "name it once");
  }
  std::error_code unreadable;  // counts as missing
  if (!std::filesystem::exists(std::filesystem::path(resume) / "config.yaml", unreadable)) {
    throw InputError("there is no run to resume", "--resume " + resume,
                     "--resume takes auto, never or a run directory");
  }
  return resume;
}

Resume resume_of(const OptionValues& values) {
  const bool is_any_build = values.contains("any-build");
  if (text_option(values, "resume") != "never") {
    return is_any_build ? Resume::of_any_build : Resume::automatic;
  }
  for (const char* const name : {"any-build", "extend"}) {
    if (!values.contains(name)) continue;
    throw InputError("--" + std::string(name) + " cannot be combined with --resume never",
                     "command line", "leave one of them out");
  }
  return Resume::never;
}

// --field takes the place of data.fields, --missing that of data.missing, --no-question-hashes that
// of data.question_hashes.
std::vector<std::string> overrides_of(const OptionValues& values) {
  std::vector<std::string> overrides = list_option(values, "set");
  const std::vector<std::string> fields = list_option(values, "field");
  if (!fields.empty()) overrides.push_back("data.fields=" + config::yaml_text(fields));
  if (values.contains("missing")) {
    overrides.push_back("data.missing=" + text_option(values, "missing"));
  }
  if (values.contains("no-question-hashes")) overrides.emplace_back("data.question_hashes=false");
  return overrides;
}

TrainRequest train_request(const OptionValues& values, const std::string& command) {
  return {.configuration = config_option(values),
          .overrides = overrides_of(values),
          .output = named_directory(values),
          .resume = resume_of(values),
          .extend = values.contains("extend"),
          .command = command};
}

// Prints the resolved configuration and the data sizes, with several ranks only on rank 0.
void show_run(const distributed::Ranks& ranks, const OptionValues& values) {
  require_same_program(ranks, "rubric train --dry-run");
  distributed::run_on_all_ranks(ranks, [&] {
    if (ranks.is_main()) std::cout << library::describe_run(train_request(values, ""));
  });
}

void train_on_ranks(const distributed::Ranks& ranks, const OptionValues& values,
                    const std::string& command) {
  require_same_program(ranks, "rubric train");
  const TrainRequest request =
      distributed::run_on_all_ranks(ranks, [&] { return train_request(values, command); });
  const TrainResult result = library::train_on(ranks, request);
  if (result.was_finished || !ranks.is_main()) return;
  std::cout << print(result.report, OutputFormat::text, terminal_width())
            << "model: " << result.model.string() << "\n";
}

// Parses on every rank; only rank 0 reports an error that all command lines share.
std::optional<OptionValues> parse_on_ranks(const std::vector<std::string>& arguments) {
  try {
    return parse_options(train_syntax(), arguments);
  } catch (const InputError&) {
    distributed::throw_collectively(join_ranks(), std::current_exception());
    throw;  // never reached: there is a problem
  }
}

}  // namespace

int run_train(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_on_ranks(arguments);
  if (!values) return kDone;
  if (values->contains("config-reference")) {
    std::cout << train::train_config_page();
    return kDone;
  }
  const distributed::Ranks ranks = join_ranks();
  catch_stop_signals();
  try {
    if (values->contains("dry-run")) {
      show_run(ranks, *values);
    } else {
      train_on_ranks(ranks, *values, eval::shell_command("rubric train", arguments));
    }
  } catch (const Interrupted&) {
    if (ranks.is_main()) throw;  // only rank 0 prints the error
    return kInterrupted;
  }
  return kDone;
}

}  // namespace rubric::cli
