// COMET's heads: the vectors of candidate, reference and source, each read by itself, or one row of
// candidate and source (CometKiwi).
#include "models/heads/comet.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <ATen/ATen.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"
#include "data/model_files/model_directory.h"
#include "metrics/neural/recipes/comet_model.h"
#include "metrics/neural/recipes/head.h"
#include "metrics/neural/recipes/kind.h"
#include "models/encoders/classifier.h"
#include "models/encoders/list.h"

namespace rubric::metrics {
namespace {

constexpr const char* kImportIt = "make it with rubric import comet FILE --output DIR";
constexpr size_t kMostLayers = 100;  // of a published encoder

std::string mix_name(int64_t layer) {
  return "layerwise_attention.scalar_parameters." + std::to_string(layer);
}
// Activation and dropout stand between the linear layers.
std::string network_name(size_t layer) {
  return "estimator.ff." + std::to_string(3 * layer);
}

std::vector<std::string> comet_tensor_names() {
  std::vector<std::string> names = {"layerwise_attention.gamma"};
  for (size_t i = 0; i < kMostLayers; ++i) {
    names.push_back(mix_name(static_cast<int64_t>(i)));
    names.push_back(network_name(i) + ".weight");
    names.push_back(network_name(i) + ".bias");
  }
  return names;
}

// What comet.json says.
class CometSettings {
 public:
  explicit CometSettings(const std::filesystem::path& file)
      : where_(file.string()), values_(Json::parse_file(file)) {
    choose("encoder_model", {"XLM-RoBERTa"});
    choose("layer", {"mix"});
    choose("sent_layer", {"mix"});
    choose("input_segments", {Json::Array{"mt", "src"}});
  }

  bool pools_first() const { return choose("pool", {"avg", "cls"}).string() == "cls"; }
  bool is_sparse() const {
    const Json mix = choose("layer_transformation", {"softmax", "sparsemax", "sparsemax_patch"});
    return mix.string() == "sparsemax";
  }
  bool normalises() const { return choose("layer_norm", {true, false}).boolean(); }
  std::string activation() const {
    return ascii_lower(choose("activations", {"Tanh", "Sigmoid"}).string());
  }
  std::string final_activation() const {
    const Json last = choose("final_activation", {Json(), "Sigmoid", "Tanh"});
    return last.is_string() ? ascii_lower(last.string()) : "";
  }
  std::string dump() const { return values_.dump(); }

 private:
  // The value, the package's default where there is none.
  Json choose(const char* key, std::initializer_list<Json> known) const {
    const Json* const found = values_.find(key);
    const Json value = found == nullptr ? *known.begin() : *found;
    for (const Json& one : known) {
      if (one.dump() == value.dump()) return value;
    }
    throw InputError(std::string(key) + " is " + value.dump() + ", which is not supported", where_,
                     "use another model, such as Unbabel/wmt22-comet-da");
  }

  std::string where_;
  Json values_;
};

void take_head(const models::NamedTensors& tensors, const std::string& where, CometModel& model) {
  const auto require = [&](const std::string& name, at::IntArrayRef shape = {}) {
    const at::Tensor* const found = models::find_tensor(tensors, name);
    if (found != nullptr && (shape.empty() || found->sizes() == shape)) {
      return found->to(at::kFloat).contiguous();
    }
    throw InputError("the model has no COMET head, or another one: " + name +
                         (found == nullptr ? " is missing" : " has another shape"),
                     where, kImportIt);
  };
  std::vector<at::Tensor> weights;
  for (int64_t i = 0; i <= model.encoder->limits().layers; ++i) {
    weights.push_back(require(mix_name(i), {1}));
  }
  model.mix.weights = at::cat(weights);
  model.mix.gamma = require("layerwise_attention.gamma", {1});
  // The network reads 1 vector (CometKiwi), 4 (without reference) or 6.
  const int64_t width = model.encoder->limits().width;
  const at::Tensor first = require(network_name(0) + ".weight");
  int64_t inputs = first.dim() == 2 ? first.size(1) : 0;
  model.parts = inputs / width;
  if (inputs % width != 0 || (model.parts != 1 && model.parts != 4 && model.parts != 6)) {
    throw InputError(network_name(0) + ".weight reads " + std::to_string(inputs) +
                         " numbers, not 1, 4 or 6 vectors of the encoder's " +
                         std::to_string(width),
                     where, kImportIt);
  }
  const auto has_layer = [&](size_t i) {
    return models::find_tensor(tensors, network_name(i) + ".weight") != nullptr;
  };
  for (size_t i = 0; has_layer(i); ++i) {
    const at::Tensor bias = require(network_name(i) + ".bias");
    const int64_t outputs = has_layer(i + 1) ? bias.numel() : 1;
    model.network.layers.push_back({require(network_name(i) + ".weight", {outputs, inputs}),
                                    require(network_name(i) + ".bias", {outputs})});
    inputs = outputs;
  }
}

class CometHead final : public RecipeHead {
 public:
  CometHead(const Recipe& recipe, const std::filesystem::path& directory, const ModelUse& use)
      : recipe_(recipe),
        ranks_(use.ranks),
        model_(load_comet(directory)),
        reader_(open_reader(directory, *model_.encoder, recipe)) {
    const size_t texts = model_.parts == 6 ? 3 : 2;
    if (texts != recipe_.inputs.size()) {
      throw InputError("the model reads " + counted(static_cast<int64_t>(texts), "text") +
                           ", and the recipe " + recipe_.name + " has " +
                           counted(std::ssize(recipe_.inputs), "input"),
                       directory.string(),
                       texts == 3 ? "score comet" : "score cometkiwi, which reads no reference");
    }
    model_.encoder->pack_weights(use.settings.has(kInt8) ? models::Packing::int8
                                                         : models::Packing::float32);
  }

  HeadOutputs outputs(std::span<const UnitTexts> units) const override {
    HeadOutputs result;
    result.values =
        model_.parts == 1 ? of_rows(units, result.truncated) : of_vectors(units, result.truncated);
    return result;
  }
  int64_t count_tokens(std::string_view text) const override {
    return std::ssize(reader_.ids(text));
  }
  int64_t width() const override { return 1; }
  std::string fingerprint() const override {
    return model_.fingerprint + reader_.tokenizer->fingerprint();
  }
  int64_t max_length() const override { return reader_.max_length; }

 private:
  // Cut as the encoders of unbabel-comet cut each text.
  std::vector<int64_t> ids_of(const std::string& text, std::vector<bool>::reference is_cut) const {
    const text::TokensAround& around = reader_.tokenizer->around();
    const int64_t most = std::max<int64_t>(
        reader_.max_length - 2 - std::ssize(around.before) - std::ssize(around.after), 0);
    std::vector<int64_t> ids = reader_.ids(text);
    if (std::ssize(ids) > most) {
      ids.resize(static_cast<size_t>(most));
      is_cut = true;
    }
    return ids;
  }

  // A joint row that is too long loses its end, special tokens and all.
  at::Tensor of_rows(std::span<const UnitTexts> units, std::vector<bool>& truncated) const {
    data::TokenBatch rows;
    for (const UnitTexts& texts : units) {
      truncated.push_back(false);
      const auto append = [&](const std::vector<int64_t>& ids) {
        rows.ids.insert(rows.ids.end(), ids.begin(), ids.end());
      };
      const text::TokensAround& around = reader_.tokenizer->around();
      append(around.before);
      for (size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) append({reader_.tokenizer->sep_id(), reader_.tokenizer->sep_id()});
        append(ids_of(texts[i], truncated.back()));
      }
      append(around.after);
      const int64_t end = rows.offsets.back() + reader_.max_length;
      if (std::ssize(rows.ids) > end) {
        rows.ids.resize(static_cast<size_t>(end));
        truncated.back() = true;
      }
      rows.segments.resize(rows.ids.size());
      rows.offsets.push_back(std::ssize(rows.ids));
    }
    return predict(rows, 1, [&](const at::Tensor& states, const models::Offsets& offsets) {
      return models::comet_scores(model_.network, models::first_states(states, offsets));
    });
  }

  // Each distinct text is read once.
  at::Tensor of_vectors(std::span<const UnitTexts> units, std::vector<bool>& truncated) const {
    data::TokenBatch rows;
    std::vector<bool> is_cut;
    std::unordered_map<std::string, int64_t> row_of;
    std::vector<std::vector<int64_t>> read(recipe_.inputs.size());  // rows of each input
    for (const UnitTexts& texts : units) {
      truncated.push_back(false);
      for (size_t i = 0; i < texts.size(); ++i) {
        const auto [found, is_new] = row_of.try_emplace(texts[i], rows.rows());
        if (is_new) {
          is_cut.push_back(false);
          reader_.append_row({ids_of(texts[i], is_cut.back())}, recipe_, rows);
        }
        read[i].push_back(found->second);
        if (is_cut[static_cast<size_t>(found->second)]) truncated.back() = true;
      }
    }
    const at::Tensor vectors =
        predict(rows, model_.encoder->limits().width,
                [&](const at::Tensor& states, const models::Offsets& offsets) {
                  return model_.pools_first ? models::first_states(states, offsets)
                                            : models::row_means(states, offsets);
                });
    const auto of_input = [&](size_t i) {
      return vectors.index_select(0, at::tensor(at::IntArrayRef(read[i]), at::kLong));
    };
    const bool has_reference = read.size() == 3;
    return models::comet_scores(
        model_.network,
        models::comet_features(of_input(0), has_reference ? of_input(1) : at::Tensor(),
                               of_input(read.size() - 1)));
  }

  at::Tensor predict(
      const data::TokenBatch& rows, int64_t columns,
      const std::function<at::Tensor(const at::Tensor&, const models::Offsets&)>& of_states) const {
    return predict_on_ranks(
        rows, columns, *model_.encoder, ranks_, [&](const models::PackedTokens& tokens) {
          return of_states(models::mixed_states(*model_.encoder, tokens, model_.mix, {}),
                           tokens.offsets);
        });
  }

  const Recipe& recipe_;
  const distributed::Ranks& ranks_;
  CometModel model_;
  TextReader reader_;
};

}  // namespace

CometModel load_comet(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / kCometFile;
  if (!is_there(file, kImportIt)) {
    throw InputError("the model is no COMET: it has no comet.json", directory.string(), kImportIt);
  }
  const CometSettings settings(file);
  models::LoadedEncoder loaded = models::load_encoder(directory, comet_tensor_names());
  CometModel model;
  model.encoder = std::move(loaded.encoder);
  model.mix.is_sparse = settings.is_sparse();
  model.mix.normalises = settings.normalises();
  model.network.activation = settings.activation();
  model.network.final_activation = settings.final_activation();
  model.pools_first = settings.pools_first();
  take_head(loaded.rest, directory.string(), model);
  models::NamedTensors all = model.encoder->tensors();
  std::ranges::move(loaded.rest, std::back_inserter(all));
  model.fingerprint = models::fingerprint(all) + loaded.config_values + settings.dump();
  return model;
}

std::unique_ptr<RecipeHead> open_comet(const Recipe& recipe, const ModelUse& use) {
  return std::make_unique<CometHead>(recipe, data::find_model(use.model, models::encoder_types()),
                                     use);
}

}  // namespace rubric::metrics
