// rubric quantize: makes a model smaller.
#include "library/neural/quantize.h"

#include <filesystem>
#include <iostream>

#include "cli/shared/options.h"
#include "cli/shared/quantize_command.h"
#include "data/model_files/model_directory.h"

namespace rubric::cli {

template <>
int run_neural<kQuantize>(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(quantize_syntax(), arguments);
  if (!values) return kDone;
  const std::filesystem::path output = file_option(*values, "output");
  library::quantize_model(data::find_model(text_option(*values, "model")), output);
  std::cout << "model: " << output.string() << "\n";
  return kDone;
}

}  // namespace rubric::cli
