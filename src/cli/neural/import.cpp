// rubric import: converts models published by others to model directories.
#include <filesystem>
#include <iostream>

#include "cli/shared/options.h"
#include "cli/shared/program.h"
#include "core/error.h"
#include "core/files/files.h"
#include "data/model_files/model_directory.h"
#include "metrics/neural/lerc.h"

namespace rubric::cli {

int run_import(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric import allennlp model.tar.gz --output DIR\n\n"
      "Makes a model directory of the LERC that Chen et al. published as an archive of AllenNLP.\n"
      "The archive has no vocabulary: that of bert-base-uncased is looked up as models are\n"
      "(scripts/download bert-base-uncased fetches it). Nothing in the archive is executed.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("from", text("KIND")->required(), "what is imported: allennlp")(
      "archive", text("FILE")->required(), "the archive")("output", text("DIR")->required(),
                                                          "the model directory to make");
  syntax.positional.add("from", 1).add("archive", 1);
  const std::optional<OptionValues> values = parse_options(syntax, arguments);
  if (!values) return kDone;
  if (text_option(*values, "from") != "allennlp") {
    throw unknown_name("kind of import", text_option(*values, "from"), {"allennlp"});
  }
  const std::filesystem::path output = file_option(*values, "output");
  const std::filesystem::path archive = file_option(*values, "archive");
  const std::string to_do = "correct the path";
  if (!is_there(archive, to_do)) throw InputError("no such file", archive.string(), to_do);
  metrics::import_allennlp_lerc(archive, data::find_model("bert-base-uncased"), output);
  std::cout << "model: " << output.string() << "\n";
  return kDone;
}

}  // namespace rubric::cli
