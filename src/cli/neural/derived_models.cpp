// rubric quantize makes a model smaller, rubric average one of several.
#include "library/neural/derived_models.h"

#include <filesystem>
#include <iostream>

#include "cli/neural/commands.h"
#include "cli/shared/derived_model_commands.h"
#include "cli/shared/options.h"
#include "data/model_files/model_directory.h"

namespace rubric::cli {

namespace {

library::SeenFiles seen_files(const OptionValues& values) {
  const auto files = [&](const char* option) -> std::vector<std::filesystem::path> {
    const std::vector<std::string> names = list_option(values, option);
    return {names.begin(), names.end()};
  };
  return {files("trained-on"), files("tuned-on")};
}

}  // namespace

int run_quantize(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(quantize_syntax(), arguments);
  if (!values) return kDone;
  const std::filesystem::path output = file_option(*values, "output");
  library::quantize_model(data::find_model(text_option(*values, "model")), output,
                          seen_files(*values));
  std::cout << "model: " << output.string() << "\n";
  return kDone;
}

int run_average(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(average_syntax(), arguments);
  if (!values) return kDone;
  std::vector<std::filesystem::path> models;
  for (const std::string& name : (*values)["model"].as<std::vector<std::string>>()) {
    models.push_back(data::find_model(name));
  }
  const std::filesystem::path output = file_option(*values, "output");
  library::average_models(models, output, seen_files(*values));
  std::cout << "model: " << output.string() << "\n";
  return kDone;
}

}  // namespace rubric::cli
