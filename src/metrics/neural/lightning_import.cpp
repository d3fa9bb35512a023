#include "metrics/neural/lightning_import.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "data/model_files/model_directory.h"
#include "metrics/neural/encoder_fit.h"
#include "metrics/neural/recipes/comet_model.h"
#include "models/encoders/classifier.h"
#include "models/encoders/list.h"
#include "models/weights/torch_file.h"
#include "text/tokenizer.h"

namespace rubric::metrics {
namespace {

namespace fs = std::filesystem;

struct CheckpointKind {
  std::string_view from;
  const char* encoder_key;  // of its hyperparameters: the encoder's name
  std::string_view encoder_prefix;
  std::vector<std::string_view> heads;  // what the names of tensors begin with that are kept
  bool is_comet = false;                // its hyperparameters are kept, as comet.json
};
const CheckpointKind kCheckpoints[] = {
    {"comet", "pretrained_model", "encoder.model.", {"layerwise_attention.", "estimator."}, true},
    {"alignscore", "model", "base_model.", {"tri_layer."}}};

// The encoder's tensors by their own names, and the heads'; buffers and what is only trained with
// are left out.
models::NamedTensors kept_tensors(models::NamedTensors tensors, const CheckpointKind& kind) {
  models::NamedTensors kept;
  for (auto& [name, tensor] : tensors) {
    if (name.ends_with("position_ids") || name.find(".dropout_") != std::string::npos) continue;
    if (name.starts_with(kind.encoder_prefix)) {
      kept.emplace_back(name.substr(kind.encoder_prefix.size()), std::move(tensor));
    } else if (std::ranges::any_of(kind.heads, [&](auto head) { return name.starts_with(head); })) {
      kept.emplace_back(name, std::move(tensor));
    }
  }
  return kept;
}

void check_checkpoint(const fs::path& directory, const CheckpointKind& kind,
                      const fs::path& encoder, const std::string& archive) {
  try {
    const auto model = kind.is_comet ? load_comet(directory).encoder
                                     : models::load_classifier(directory, "tri_layer").encoder;
    require_fit(*model, *text::open_tokenizer(directory), directory);
  } catch (const InputError& error) {  // names the directory being made
    const std::string what = error.what();
    throw InputError("the checkpoint is not usable with the encoder in " + encoder.string() + ": " +
                         what.substr(0, what.find('\n')),
                     archive, "fetch both again");
  }
}

// Some models were trained with softmax by a mistake of the package, which their checkpoints do not
// know: hparams.yaml, in the folder above, says "sparsemax_patch".
std::string layer_transformation(const fs::path& archive) {
  const fs::path file = fs::absolute(archive).parent_path().parent_path() / "hparams.yaml";
  const std::string to_do = "fetch the model's hparams.yaml into the folder above the checkpoint's";
  if (!is_there(file, to_do)) throw InputError("no such file", file.string(), to_do);
  constexpr std::string_view kKey = "layer_transformation:";
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    if (line.starts_with(kKey)) return std::string(trim(line.substr(kKey.size())));
  }
  return "";
}

}  // namespace

void import_checkpoint(const data::ImportRequest& request) {
  const CheckpointKind& kind =
      *std::ranges::find(kCheckpoints, request.from, &CheckpointKind::from);
  const std::string archive = request.archive.string();
  Json settings;
  models::NamedTensors tensors = models::read_checkpoint(request.archive, settings);
  if (settings.find(kind.encoder_key) == nullptr) {
    throw InputError("this is no checkpoint of " + request.from +
                         ": its hyper_parameters have no " + std::string(kind.encoder_key),
                     archive, "name the kind of checkpoint that the file is");
  }
  const fs::path encoder =
      data::find_model(settings.require_string(kind.encoder_key, archive + ": hyper_parameters"),
                       models::encoder_types());
  AtomicDirectory directory(request.output);
  for (const fs::path& file : data::files_beside_weights(encoder)) {
    write_file(directory.path() / file.filename(), read_file(file));
  }
  models::write_weights(directory.path(), kept_tensors(std::move(tensors), kind));
  if (kind.is_comet) {
    const std::string mix = layer_transformation(request.archive);
    if (!mix.empty()) settings["layer_transformation"] = mix;
    write_file(directory.path() / kCometFile, settings.dump() + "\n");
  }
  check_checkpoint(directory.path(), kind, encoder, archive);
  directory.commit();
}

}  // namespace rubric::metrics
