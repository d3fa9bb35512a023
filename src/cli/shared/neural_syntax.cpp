// The options of the commands that rubric-neural runs. They are light, since rubric lists them,
// too.
#include "cli/list.h"
#include "cli/shared/options.h"

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

CommandSyntax generate_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric generate --model MODEL --input FILE --output FILE [options]\n\n"
      "Adds to every row what the model makes of its source, as \"generated\": the most probable\n"
      "next token again and again, unless --beams or --sample says otherwise; with --candidates\n"
      "the most probable of the texts that the row gives. Rows are written as they are done, in\n"
      "the order of the input; started again after a stop, the same call resumes.\n"
      "Several processes share the work as docs/distributed.md says.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [](int64_t otherwise) {
    return po::value<int64_t>()->default_value(otherwise)->value_name("N");
  };
  const auto real = [] { return po::value<double>()->value_name("X"); };
  syntax.options.add_options()("model", text("MODEL")->required(), "model directory, or name")(
      "input,i", text("FILE")->required(), "rows with source")(
      "output,o", text("FILE")->required(), "the same rows with generated, as JSON lines")(
      "max-new-tokens", po::value<int64_t>()->value_name("N"),
      "longest text; else what the model was trained for, or 128")(
      "batch", number(16), "rows computed at once")("beams", number(1), "beam search with so many")(
      "length-penalty", real(),
      "of beams, default 1: a text's score is its "
      "log-probability / tokens ^ X")(
      "early-stopping", text("WHEN"),
      "of beams: no (default), yes or never, as transformers' False, True and \"never\"")(
      "sample", "draws tokens instead of taking the most probable")(
      "temperature", real(), "of samples: logits are divided by it; default 1")(
      "top-k", po::value<int64_t>()->value_name("N"),
      "of samples: of the N most probable tokens; default all")(
      "top-p", real(), "of samples: of the most probable with this much together; default 1")(
      "seed", number(0), "of samples")(
      "candidates", text("FIELD"),
      "choose among the texts in this field of a row, by their mean log-probability")(
      "given", text("TEMPLATE"),
      "of candidates: what precedes them in the target, such as '{rationale} [answer]'")(
      "source", text("TEMPLATE"),
      "what a source is made of, such as '{question} {passage}'; else as the model was trained, "
      "or {source}")("output-field", text("NAME"),
                     "what the field of the texts is called; default generated")(
      "decoder-start", text("HOW"),
      "model, or last-input for the source's last token; else as the model was trained")(
      "no-source-eos", "sources without the end-of-sequence token")(
      "field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the file's own name of a field, such as source=question; may be repeated")(
      "limit", number(0), "only the first N rows; 0: all")("threads", number(0),
                                                           "CPU threads; 0: one for each core");
  add_input_format_option(syntax);
  syntax.inputs = {"input"};
  syntax.outputs = {"output"};
  syntax.models = {"model"};
  syntax.resumes = true;
  return syntax;
}

CommandSyntax import_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric import allennlp model.tar.gz --output DIR\n\n"
      "Makes a model directory of the LERC that Chen et al. published as an archive of AllenNLP.\n"
      "The archive has no vocabulary: that of bert-base-uncased is looked up as models are\n"
      "(scripts/download bert-base-uncased fetches it). Nothing in the archive is executed.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("from", text("KIND")->required(), "what is imported: allennlp")(
      "archive", text("FILE")->required(), "the archive")("output,o", text("DIR")->required(),
                                                          "the model directory to make");
  syntax.positional.add("from", 1).add("archive", 1);
  syntax.inputs = {"archive"};
  syntax.outputs = {"output"};
  return syntax;
}

}  // namespace rubric::cli
