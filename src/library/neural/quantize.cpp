#include "library/neural/quantize.h"

#include "core/files/directories.h"
#include "core/files/files.h"
#include "data/model_files/model_directory.h"
#include "models/weights/int8_weights.h"

namespace rubric::library {

void quantize_model(const std::filesystem::path& model_directory,
                    const std::filesystem::path& output) {
  const models::NamedTensors tensors =
      models::quantized(models::read_weights(model_directory), model_directory.string());
  make_directories(
      std::filesystem::absolute(output / "").lexically_normal().parent_path().parent_path());
  AtomicDirectory directory(output);
  for (const auto& file : data::files_beside_weights(model_directory)) {
    write_file(directory.path() / file.filename(), read_file(file));
  }
  const auto card = model_directory / "rubric.yaml";
  if (std::filesystem::exists(card)) write_file(directory.path() / "rubric.yaml", read_file(card));
  models::write_weights(directory.path(), tensors);
  directory.commit();
}

}  // namespace rubric::library
