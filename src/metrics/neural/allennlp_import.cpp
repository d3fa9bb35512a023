#include "metrics/neural/allennlp_import.h"

#include <string>

#include "config/printer.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/files/gzip.h"
#include "core/json/json.h"
#include "data/model_files/model_directory.h"
#include "metrics/neural/encoder_fit.h"
#include "metrics/neural/lerc_model.h"
#include "metrics/neural/lightning_import.h"
#include "models/weights/torch_file.h"
#include "models/weights/weights.h"

namespace rubric::metrics {
namespace {

namespace fs = std::filesystem;

constexpr const char *kConfig = "config.json", *kWeights = "weights.th";
constexpr const char* kModelType = "lerc";  // as AllenNLP's configuration calls it

// Makes the model card from the archive's configuration: the paper's inputs, and the constituents
// (MOCHA's source data sets) held out from training.
data::ModelCard card_of(const fs::path& config_file, const std::string& archive) {
  const std::string where = archive + ": " + kConfig;
  const Json config = Json::parse(read_file(config_file), where);
  const std::string& type = config.require("model", where).require_string("type", where);
  if (type != kModelType) {
    throw InputError("the archive holds a model of the type " + json_quote(type), where,
                     "only the type \"lerc\" can be imported");
  }
  data::ModelCard card;
  card.encoder = "bert-base-uncased";
  const Json* reader = config.find("dataset_reader");
  if (reader == nullptr) return card;
  if (reader->find("max_length") != nullptr) {
    card.max_length = reader->require_integer("max_length", where);
  }
  if (const Json* sets = reader->find("holdout_sets"); sets != nullptr && sets->is_array()) {
    for (const Json& name : sets->array()) {
      if (!name.is_string())
        throw InputError("holdout_sets must be strings", where, "name the constituents in quotes");
      card.hold_out.push_back(name.string());
    }
  }
  return card;
}

// The tensors of a LERC, without the position ids that older releases of transformers saved too.
models::NamedTensors lerc_tensors(const fs::path& weights) {
  models::NamedTensors tensors;
  for (auto& [name, tensor] : models::read_pytorch_bin(weights)) {
    if (name.ends_with("position_ids")) continue;
    tensors.emplace_back(name, tensor.to(at::kFloat));
  }
  return tensors;
}

void check_model(const fs::path& directory, const fs::path& encoder, const std::string& archive) {
  try {
    require_fit(*load_lerc(directory).encoder, *text::open_tokenizer(directory), directory);
  } catch (const InputError&) {  // names the directory being made
    throw InputError(
        "the archive and the encoder in " + encoder.string() + " do not fit each other", archive,
        "fetch both again: scripts/download bert-base-uncased");
  }
}

}  // namespace

void import_model(const data::ImportRequest& request, const Context& context) {
  const ContextScope scope(context);
  const fs::path& archive = request.archive;
  const std::string to_do = "correct the path";
  if (!is_there(archive, to_do)) throw InputError("no such file", archive.string(), to_do);
  if (request.from != "allennlp") return import_checkpoint(request);
  const fs::path encoder = data::find_model("bert-base-uncased");
  AtomicDirectory directory(request.output);
  const fs::path unpacked = directory.path() / "unpacked";
  fs::create_directory(unpacked);
  unpack_tar_gz(archive, {kConfig, kWeights}, unpacked);
  const data::ModelCard card = card_of(unpacked / kConfig, archive.string());
  for (const fs::path& file : data::files_beside_weights(encoder)) {
    write_file(directory.path() / file.filename(), read_file(file));
  }
  models::write_weights(directory.path(), lerc_tensors(unpacked / kWeights));
  write_file(directory.path() / "rubric.yaml", config::print_config(card));
  fs::remove_all(unpacked);
  check_model(directory.path(), encoder, archive.string());
  directory.commit();
}

}  // namespace rubric::metrics
