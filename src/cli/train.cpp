// rubric train: a configuration into a run directory.

#include <iostream>

#include <ATen/Parallel.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/train_setup.h"
#include "config/printer.h"
#include "core/files.h"
#include "core/log.h"
#include "core/signals.h"
#include "data/lerc_data.h"
#include "data/model_directory.h"
#include "eval/report.h"
#include "train/lerc_task.h"
#include "train/loop.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric train --config FILE [--set a.b=v]… [--output DIR] [--resume "
      "auto|never|DIR]\n\n"
      "Trains as the configuration says (docs/configuration.md). The run directory gets the\n"
      "resolved configuration, a log, checkpoints, the best model, its predictions and a report.\n"
      "The same command started again goes on where it was interrupted.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add_config_options(syntax);
  syntax.options.add_options()("output", text("DIR"),
                               "run directory; else runs/ and the configuration's name")(
      "resume", text("HOW")->default_value("auto"),
      "auto: go on with what the run directory holds; never: refuse if it holds anything; or a run "
      "directory to go on with")("dry-run",
                                 "prints the resolved configuration and the data sizes, and "
                                 "touches nothing")(
      "config-reference", "prints the reference page of all configuration keys, as Markdown");
  return syntax;
}

Table validation_table(const std::filesystem::path& run) {
  Table table;
  table.title = "Validation";
  table.header = {"epoch", "update", "training loss", "dev figure", "best"};
  LineReader lines(run / "log.jsonl");
  for (std::string line; lines.next(line);) {
    const Json event = Json::parse(line, lines.where());
    if (event.require_string("event", lines.where()) != "validation") continue;
    const auto number = [&](const char* name) { return event.require_number(name, lines.where()); };
    table.rows.push_back({format_fixed(number("epoch"), 0), format_fixed(number("step"), 0),
                          format_fixed(number("train_loss"), 4),
                          event.require("value", lines.where()).is_null()
                              ? "undefined"
                              : format_fixed(number("value"), 4),
                          event.require("best", lines.where()).boolean() ? "best so far" : ""});
  }
  return table;
}

// Publishes the best model as model/, and writes results.json, which marks the run as finished.
void finish(const std::filesystem::path& run, const TrainConfig& config, const std::string& data,
            const TrainResult& result) {
  if (std::filesystem::exists(run / "best")) {
    std::filesystem::remove_all(run / "model");
    std::filesystem::rename(run / "best", run / "model");
  } else if (!std::filesystem::exists(run / "model")) {  // else an earlier start came this far
    throw Error("the best model is gone", (run / "best").string(),
                "delete the run directory and train again");
  }
  const Table table = validation_table(run);
  const Report report{
      "Training " + run.filename().string(),
      {data, "Held out: " + (config.data.hold_out.empty() ? std::string("nothing")
                                                          : join(config.data.hold_out))},
      {table},
      {}};
  write_file(run / "report.html", to_html(report));
  Json results;
  results["figure"] = "pearson";
  results["best"]["step"] = result.best_step;
  results["best"]["value"] = result.best_figure ? Json(*result.best_figure) : Json();
  results["steps"] = result.steps;
  write_file(run / "results.json", results.dump(2) + "\n");
  std::cout << print_table(table, OutputFormat::text) << "model: " << (run / "model").string()
            << "\n";
}

// The run directory that --output or --resume names, or "".
std::string named_directory(const OptionValues& values) {
  const std::string output = file_option(values, "output"), resume = file_option(values, "resume");
  if (resume == "auto" || resume == "never") return output;
  if (!output.empty()) {
    throw InputError("two run directories are named", "--output and --resume", "name it once");
  }
  std::error_code unreadable;  // counts as missing
  if (!std::filesystem::exists(std::filesystem::path(resume) / "config.yaml", unreadable)) {
    throw InputError("there is no run to go on with", "--resume " + resume,
                     "--resume takes auto, never or a run directory");
  }
  return resume;
}

}  // namespace

int run_train(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  if (values->contains("config-reference")) {
    std::cout << train_config_page();
    return kDone;
  }
  TrainConfig config = config_option(*values, named_directory(*values));
  const std::string config_text = print_config(config);
  const bool dry_run = values->contains("dry-run");
  const std::filesystem::path encoder = find_model(config.model.name);
  const Json inputs = input_hashes(config, encoder);
  const bool started = holds_run(config, inputs);
  if (started && text_option(*values, "resume") == "never") {
    throw InputError("the output directory holds a run already", config.output,
                     "choose another folder with --output, or go on with --resume auto");
  }
  if (started && !dry_run && is_finished(config.output)) {
    log_info("this run is finished: " + config.output + "/model");
    return kDone;
  }

  if (config.threads > 0) at::set_num_threads(static_cast<int>(config.threads));
  if (dry_run) {
    config.data.store.clear();  // tokenised in memory
  } else {
    catch_stop_signals();
  }
  LercData data = load_lerc_data(config, WordPiece::from_directory(encoder));
  const std::string sizes = describe(data);
  LercTask task(config, encoder, start_lerc(encoder, static_cast<uint64_t>(config.seed)),
                std::move(data));
  if (dry_run) {
    std::cout << config_text << "# " << sizes << "\n";
    return kDone;
  }
  log_info(sizes);
  RunDirectory run(config.output, config_text, inputs);
  finish(run.path(), config, sizes, train(task, config, run));
  return kDone;
}

}  // namespace rubric
