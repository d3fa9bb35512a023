// The options of the commands that librubric-neural.so runs: light code.
#include "cli/shared/derived_model_commands.h"
#include "cli/shared/generate_command.h"
#include "cli/shared/import_command.h"
#include "cli/shared/train_command.h"

namespace rubric::cli {

namespace po = boost::program_options;

CommandSyntax train_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add_config_options(syntax);
  syntax.options.add_options()("output,o", text("DIR"),
                               "run directory; else runs/ and the configuration's name")(
      "resume", text("HOW")->default_value("auto"),
      "auto: resume the run in the run directory; never: refuse if it holds anything; or a run "
      "directory to resume")(
      "extend",
      "continues a finished or stopped run with other values of run.epochs, run.patience, "
      "run.validate_every, run.checkpoint_every or run.keep_checkpoints")(
      "field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the data's own name of a field, such as candidate=prediction; may be repeated; "
      "replaces data.fields")(
      "no-question-hashes",
      "the model does not list the questions that it has seen; sets data.question_hashes to false")(
      "any-build",
      "resumes a run that another build of rubric trained; "
      "results.json names all builds")(
      "dry-run", "prints the resolved configuration and the data sizes, and touches nothing")(
      "config-reference", "prints the reference page of all configuration keys, as Markdown");
  add_missing_option(syntax);
  syntax.outputs = {"output"};
  syntax.makes_directory = syntax.resumes = true;
  return syntax;
}

CommandSyntax generate_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [](int64_t otherwise) {
    return po::value<int64_t>()->default_value(otherwise)->value_name("N");
  };
  const auto real = [] { return po::value<double>()->value_name("X"); };
  syntax.options.add_options()("model", text("MODEL")->required(), "model directory, or name")(
      "input,i", text("FILE")->required(), "rows with source")(
      "output,o", text("FILE")->required(), "the same rows with generated, as JSON lines")(
      "max-new-tokens", po::value<int64_t>()->value_name("N"),
      "most tokens of a text; else as many as the model was trained for, or 128")(
      "batch", number(32), "rows that are computed together")("beams", number(1),
                                                              "number of beams of a beam search")(
      "length-penalty", real(),
      "with --beams, default 1: a text's score is its "
      "log-probability / tokens ^ X")(
      "early-stopping", text("WHEN"),
      "with --beams: no (default), yes or never, as transformers' False, True and \"never\"")(
      "do-sample", "draws tokens instead of taking the most probable")(
      "temperature", real(), "with --do-sample: divides the logits; default 1")(
      "top-k", po::value<int64_t>()->value_name("N"),
      "with --do-sample: draws among the N most probable tokens; default all")(
      "top-p", real(),
      "with --do-sample: draws among the fewest most probable tokens whose probabilities add up to "
      "X; "
      "default 1")("seed", number(0), "with --do-sample: another seed, other texts")(
      "candidates", text("FIELD"),
      "choose among the texts in this field of a row, by their mean log-probability")(
      "given", text("TEMPLATE"),
      "with --candidates: what precedes them in the target, such as '{rationale} [answer]'")(
      "source", text("TEMPLATE"),
      "the template of a source, such as '{question} {passage}'; else as the model was trained, "
      "or {source}")("output-field", text("NAME"),
                     "the name of the field for the texts; default generated")(
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
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("from", text("KIND")->required(), "what is imported: allennlp")(
      "archive", text("FILE")->required(), "the archive")("output,o", text("DIR")->required(),
                                                          "the model directory to make");
  syntax.positional.add("from", 1).add("archive", 1);
  syntax.inputs = {"archive"};
  syntax.outputs = {"output"};
  return syntax;
}

namespace {

// Names the questions of models that do not list them, as those that older versions trained.
void add_seen_options(CommandSyntax& syntax) {
  const auto files = [] { return po::value<std::vector<std::string>>()->value_name("FILE"); };
  syntax.options.add_options()("trained-on", files(),
                               "answers that the model was trained on, if it does not list their "
                               "questions (docs/training.md); may be repeated")(
      "tuned-on", files(), "answers that chose it, likewise; may be repeated");
  syntax.inputs = {"trained-on", "tuned-on"};
}

}  // namespace

CommandSyntax quantize_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("model", text("MODEL")->required(), "model directory, or name")(
      "output,o", text("DIR")->required(), "the model directory to make");
  add_seen_options(syntax);
  syntax.positional.add("model", 1);
  syntax.models = {"model"};
  syntax.outputs = {"output"};
  syntax.makes_directory = true;
  return syntax;
}

CommandSyntax average_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()(
      "model", po::value<std::vector<std::string>>()->value_name("MODEL")->required(),
      "model directories, or names")("output,o", text("DIR")->required(),
                                     "the model directory to make");
  add_seen_options(syntax);
  syntax.positional.add("model", -1);
  syntax.models = {"model"};
  syntax.outputs = {"output"};
  syntax.makes_directory = true;
  return syntax;
}

}  // namespace rubric::cli
