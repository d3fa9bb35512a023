#include "library/neural/derived_models.h"

#include <algorithm>
#include <string>

#include <ATen/ATen.h>

#include "config/printer.h"
#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "models/config_fields.h"
#include "models/encoders/encoder.h"
#include "models/encoders/list.h"
#include "models/sequence_model.h"
#include "models/weights/int8_weights.h"

namespace rubric::library {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCard = "rubric.yaml";

bool has_card(const fs::path& model) {
  return is_there(model / kCard, "make the folder readable");
}

// Reads config.json, so that a broken one is not passed on.
void require_config(const fs::path& model) {
  models::ConfigFields fields(model);
  const std::string type = fields.model_type();
  const std::vector<std::string> encoders = models::encoder_types();
  const std::vector<std::string> sequence_models = data::sequence_types();
  if (std::ranges::find(encoders, type) != encoders.end()) {
    models::read_encoder_config(model);
  } else if (std::ranges::find(sequence_models, type) != sequence_models.end()) {
    models::read_sequence_config(model);
  } else {
    throw InputError("rubric runs no model of the type " + json_quote(type), fields.where(),
                     "use one of " + join(encoders) + ", " + join(sequence_models));
  }
}

// Writes a model with other weights than the one it takes its files from; `card` "": it has none.
void write_derived(const fs::path& model, const std::string& card,
                   const models::NamedTensors& tensors, const fs::path& output) {
  make_directories(fs::absolute(output / "").lexically_normal().parent_path().parent_path());
  AtomicDirectory directory(output);
  for (const fs::path& file : data::files_beside_weights(model)) {
    write_file(directory.path() / file.filename(), read_file(file));
  }
  if (!card.empty()) write_file(directory.path() / kCard, card);
  models::write_weights(directory.path(), tensors);
  directory.commit();
}

// The card as that of a mean: without what is of one run alone. "" where there is none.
std::string shared_card(const fs::path& model) {
  if (!has_card(model)) return "";
  data::ModelCard card = data::read_model_card(model);
  if (!card.head.features.empty()) {
    throw InputError("its network reads features, and each training numbers its units otherwise",
                     (model / kCard).string(),
                     "average the encoders, and train the network on their mean");
  }
  card.validation.clear();
  card.validation_score.reset();
  card.threshold.reset();
  card.seed = 0;
  return config::print_config(card);
}

void require_alike(const fs::path& first, const fs::path& other) {
  constexpr const char* kWhatToDo =
      "average models that were trained from one model on the same rows, with other seeds alone";
  if (has_card(first) != has_card(other)) {
    const bool lacks = has_card(first);
    throw InputError(std::string("it has ") + (lacks ? "no " : "a ") + kCard + " and " +
                         first.string() + (lacks ? " has one" : " has none"),
                     other.string(), kWhatToDo);
  }
  if (shared_card(first) != shared_card(other)) {
    throw InputError("its card is another than that of " + first.string() +
                         " in more than seed, validation and threshold",
                     (other / kCard).string(), kWhatToDo);
  }
  const auto files = data::files_beside_weights(first), others = data::files_beside_weights(other);
  for (size_t i = 0; i < std::max(files.size(), others.size()); ++i) {
    const bool is_same = i < files.size() && i < others.size() &&
                         files[i].filename() == others[i].filename() &&
                         read_file(files[i]) == read_file(others[i]);
    if (is_same) continue;
    throw InputError("its configuration or tokenizer is another than that of " + first.string(),
                     (i < others.size() ? others[i] : other).string(), kWhatToDo);
  }
}

// What the tensors are summed as: floating-point numbers in float64, others as they are.
models::NamedTensors sums_of(const models::NamedTensors& tensors) {
  models::NamedTensors sums;
  for (const auto& [name, tensor] : tensors) {
    sums.emplace_back(
        name, tensor.is_floating_point() ? tensor.to(at::kDouble, false, /*copy=*/true) : tensor);
  }
  return sums;
}

// Adds the tensors of a model to sums; `first` has the types.
void add(models::NamedTensors& sums, const models::NamedTensors& first,
         const models::NamedTensors& tensors, const fs::path& model) {
  constexpr const char* kWhatToDo = "average models of one kind";
  if (tensors.size() != sums.size()) {
    throw InputError("it has " + std::to_string(tensors.size()) + " tensors and the first model " +
                         std::to_string(sums.size()),
                     model.string(), kWhatToDo);
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    auto& [name, sum] = sums[i];
    const at::Tensor* const tensor = models::find_tensor(tensors, name);
    if (tensor == nullptr || tensor->sizes() != sum.sizes()) {
      throw InputError("the tensor " + name + " is missing or has another shape", model.string(),
                       kWhatToDo);
    }
    if (tensor->scalar_type() != first[i].second.scalar_type()) {
      throw InputError("the tensor " + name + " has another type", model.string(), kWhatToDo);
    }
    if (tensor->is_floating_point()) {
      sum.add_(tensor->to(at::kDouble));
    } else if (!tensor->equal(sum)) {
      throw InputError("the whole numbers of the tensor " + name + " are others", model.string(),
                       kWhatToDo);
    }
  }
}

}  // namespace

void quantize_model(const fs::path& model_directory, const fs::path& output) {
  require_config(model_directory);
  const models::NamedTensors tensors =
      models::quantized(models::read_weights(model_directory), model_directory.string());
  write_derived(model_directory,
                has_card(model_directory) ? read_file(model_directory / kCard) : "", tensors,
                output);
}

void average_models(const std::vector<fs::path>& model_directories, const fs::path& output) {
  if (model_directories.empty()) throw Error("the mean of no models");
  const fs::path& first = model_directories.front();
  require_config(first);
  const std::string card = shared_card(first);
  for (const fs::path& model : model_directories) require_alike(first, model);
  const models::NamedTensors tensors = models::read_weights(first);
  models::NamedTensors sums = sums_of(tensors);
  for (size_t i = 1; i < model_directories.size(); ++i) {
    add(sums, tensors, models::read_weights(model_directories[i]), model_directories[i]);
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    at::Tensor& sum = sums[i].second;
    if (!sum.is_floating_point()) continue;
    sum = sum.div(static_cast<double>(model_directories.size())).to(tensors[i].second.dtype());
  }
  write_derived(first, card, sums, output);
}

}  // namespace rubric::library
