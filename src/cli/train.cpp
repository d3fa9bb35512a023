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
  syntax.options.add_options()("config", text("FILE")->required(),
                               "as given, else looked up under configs/")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "overrides one key, such as optimizer.learning_rate=1e-5; may be repeated")(
      "output", text("DIR"), "run directory; else runs/ and the configuration's name")(
      "resume", text("HOW")->default_value("auto"),
      "auto: go on with what the run directory holds; never: refuse if it holds anything; or a run "
      "directory to go on with")("dry-run",
                                 "prints the resolved configuration and the data sizes, and "
                                 "touches nothing");
  return syntax;
}

Table validation_table(const std::filesystem::path& run) {
  Table table;
  table.title = "Validation";
  table.header = {"epoch", "update", "training loss", "dev pearson", "best"};
  LineReader lines(run / "log.jsonl");
  for (std::string line; lines.next(line);) {
    const Json event = Json::parse(line, lines.where());
    if (event.require_string("event", lines.where()) != "validation") continue;
    const auto number = [&](const char* name) { return event.require_number(name, lines.where()); };
    table.rows.push_back({format_fixed(number("epoch"), 0), format_fixed(number("step"), 0),
                          format_fixed(number("train_loss"), 4), format_fixed(number("pearson"), 4),
                          event.require("best", lines.where()).boolean() ? "best so far" : ""});
  }
  return table;
}

// Publishes the best model as model/, and writes results.json, which marks the run as finished.
void finish(const std::filesystem::path& run, const TrainConfig& config, const LercData& data,
            const TrainResult& result) {
  if (std::filesystem::exists(run / "best")) {  // else an earlier start came this far
    std::filesystem::remove_all(run / "model");
    std::filesystem::rename(run / "best", run / "model");
  }
  const Table table = validation_table(run);
  const Report report{
      "Training " + run.filename().string(),
      {describe(data), "Held out: " + (config.data.hold_out.empty() ? std::string("nothing")
                                                                    : join(config.data.hold_out))},
      {table},
      {}};
  write_file(run / "report.html", to_html(report));
  Json results;
  results["figure"] = "pearson";
  results["best"]["step"] = result.best_step;
  results["best"]["pearson"] = result.best_figure;
  results["steps"] = result.steps;
  write_file(run / "results.json", results.dump(2) + "\n");
  std::cout << print_table(table, OutputFormat::text) << "model: " << (run / "model").string()
            << "\n";
}

}  // namespace

int run_train(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  std::vector<std::string> overrides;
  if (values->contains("set")) overrides = (*values)["set"].as<std::vector<std::string>>();
  const std::string resume = text_option(*values, "resume");
  const bool named_run = resume != "auto" && resume != "never";
  const TrainConfig config = read_train_config(text_option(*values, "config"), overrides,
                                               named_run ? resume : text_option(*values, "output"));
  if (config.threads > 0) at::set_num_threads(static_cast<int>(config.threads));

  const std::filesystem::path encoder = find_model(config.model.name);
  const WordPiece tokenizer = WordPiece::from_directory(encoder);
  const std::string config_text = print_config(config);
  if (values->contains("dry-run")) {
    TrainConfig in_memory = config;
    in_memory.data.store.clear();
    std::cout << config_text << "# " << describe(load_lerc_data(in_memory, tokenizer)) << "\n";
    return kDone;
  }
  const LercData data = load_lerc_data(config, tokenizer);
  LercTask task(config, encoder, data);
  RunDirectory run(config.output, config_text, resume != "never");
  if (run.finished()) {
    log_info("this run is finished: " + (run.path() / "model").string());
    return kDone;
  }
  log_info(describe(data));
  catch_stop_signals();
  finish(run.path(), config, data, train(task, config, run));
  return kDone;
}

}  // namespace rubric
