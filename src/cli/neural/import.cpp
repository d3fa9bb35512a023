// rubric import: converts models published by others to model directories.
#include <filesystem>
#include <iostream>

#include "cli/neural/commands.h"
#include "cli/shared/import_command.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "data/model_files/model_directory.h"
#include "library/neural/allennlp_import.h"

namespace rubric::cli {

int run_import(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(import_syntax(), arguments);
  if (!values) return kDone;
  if (text_option(*values, "from") != "allennlp") {
    throw unknown_name("kind of import", text_option(*values, "from"), {"allennlp"});
  }
  const std::filesystem::path output = file_option(*values, "output");
  const std::filesystem::path archive = file_option(*values, "archive");
  const std::string to_do = "correct the path";
  if (!is_there(archive, to_do)) throw InputError("no such file", archive.string(), to_do);
  library::import_allennlp_lerc(archive, data::find_model("bert-base-uncased"), output);
  std::cout << "model: " << output.string() << "\n";
  return kDone;
}

}  // namespace rubric::cli
