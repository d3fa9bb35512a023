#include "cli/shared/import_command.h"

namespace rubric::cli {

namespace po = boost::program_options;

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
