// The options of `train`, which are light: rubric lists them, too.
#include "cli/shared/train_command.h"

namespace rubric::cli {

namespace po = boost::program_options;

CommandSyntax train_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric train --config FILE [--set a.b=v]… [--output DIR] [--field OURS=THEIRS]…\n"
      "                    [--resume auto|never|DIR] [--extend] [--any-build]\n\n"
      "Trains as the configuration says (docs/configuration.md). The run directory gets the\n"
      "resolved configuration, a log, checkpoints, the best model, its predictions and a report\n"
      "(docs/training.md); `rubric watch` shows it while it runs.\n"
      "The same command started again resumes where it was interrupted; with --extend also for\n"
      "more epochs or patience than before.\n"
      "Several processes share the work under scripts/launch/local, torchrun, srun or mpirun\n"
      "(docs/distributed.md).";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add_config_options(syntax);
  syntax.options.add_options()("output,o", text("DIR"),
                               "run directory; else runs/ and the configuration's name")(
      "resume", text("HOW")->default_value("auto"),
      "auto: resume the run in the run directory; never: refuse if it holds anything; or a run "
      "directory to resume")(
      "extend",
      "goes on with a finished or stopped run whose run.epochs, run.patience, "
      "run.validate_every, run.checkpoint_every or run.keep_checkpoints was another")(
      "field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the data's own name of a field, such as candidate=prediction; may be repeated; in the "
      "place of data.fields")("any-build",
                              "resumes a run that another build of rubric has trained; "
                              "results.json names all of them")(
      "dry-run", "prints the resolved configuration and the data sizes, and touches nothing")(
      "config-reference", "prints the reference page of all configuration keys, as Markdown");
  syntax.outputs = {"output"};
  syntax.makes_directory = syntax.resumes = true;
  return syntax;
}

}  // namespace rubric::cli
