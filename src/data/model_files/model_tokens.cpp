#include "data/model_files/model_tokens.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/files/embedded.h"
#include "core/json/json.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::data {

namespace {
namespace fs = std::filesystem;

// Looks up settings in config.json and generation_config.json.
class Settings {
 public:
  explicit Settings(const fs::path& directory)
      : config_file_(config_place(directory)),
        generation_file_((directory / "generation_config.json").string()),
        config_(read_model_config(directory)),
        generation_(text::read_optional_object(generation_file_)) {}

  const Json& config() const { return config_; }
  const std::string& config_file() const { return config_file_; }

  // An id, or several if a list is allowed; empty when both files lack it.
  std::vector<int64_t> ids(const char* name, bool may_be_list = false) const {
    const std::vector<int64_t> of_generation =
        ids_in(generation_, name, generation_file_, may_be_list);
    if (!of_generation.empty()) return of_generation;
    return ids_in(config_, name, config_file_, may_be_list);
  }

  std::optional<int64_t> id(const char* name) const { return first(ids(name)); }

  std::optional<int64_t> decoder_start() const {
    const auto of_config = first(ids_in(config_, kDecoderStart, config_file_, false));
    return of_config ? of_config : id(kDecoderStart);
  }

  std::optional<int64_t> generation_start() const {
    for (const char* const name : {kDecoderStart, "bos_token_id"}) {
      const auto of_generation = first(ids_in(generation_, name, generation_file_, false));
      if (of_generation) return of_generation;
    }
    return decoder_start();
  }

  // Those that end a written text: if generation_config.json exists, only it counts.
  std::vector<int64_t> ends() const {
    return has_generation_config() ? ids_in(generation_, kEos, generation_file_, true)
                                   : ids_in(config_, kEos, config_file_, true);
  }

  bool has_generation_config() const {
    return !generation_.is_null() && !generation_.object().empty();
  }

  // A forced token of generated texts: if generation_config.json exists, only it counts.
  std::optional<int64_t> forced(const char* name, std::optional<int64_t> otherwise) const {
    if (has_generation_config()) return first(ids_in(generation_, name, generation_file_, true));
    if (config_.find(name) == nullptr) return otherwise;
    return first(ids_in(config_, name, config_file_, true));
  }

 private:
  static constexpr const char *kDecoderStart = "decoder_start_token_id", *kEos = "eos_token_id";

  static std::optional<int64_t> first(const std::vector<int64_t>& ids) {
    return ids.empty() ? std::nullopt : std::optional(ids.front());
  }

  static std::vector<int64_t> ids_in(const Json& json, const char* name, const std::string& file,
                                     bool may_be_list) {
    const Json* const value = json.find(name);
    if (value == nullptr || value->is_null()) return {};
    if (!may_be_list || !value->is_array()) return {checked(*value, name, file)};
    std::vector<int64_t> ids;
    for (const Json& element : value->array()) ids.push_back(checked(element, name, file));
    return ids;
  }

  static int64_t checked(const Json& value, const char* name, const std::string& file) {
    const int64_t id = Json(Json::Object{{name, value}}).require_integer(name, file);
    if (id >= 0) return id;
    throw InputError(std::string(name) + " is negative", file,
                     "correct it, or fetch the model again");
  }

  std::string config_file_, generation_file_;
  Json config_, generation_;
};

// The positions of a model. Two scalings of rotary ones reach farther than what their field says:
// the field has the length of the rows that the model was trained with.
int64_t positions_of(const Json& config, const char* name, const std::string& where) {
  const int64_t positions = config.require_integer(name, where);
  for (const char* const part : {"rope_parameters", "rope_scaling"}) {
    const Json* const scaling = config.find(part);
    if (scaling == nullptr || !scaling->is_object()) continue;
    const Json* type = scaling->find("rope_type");
    if (type == nullptr) type = scaling->find("type");
    const Json *const factor = scaling->find("factor"), *const trained = scaling->find(
                                                            "original_max_position_embeddings");
    if (type == nullptr || factor == nullptr || !factor->is_number()) continue;
    const bool is_dynamic = type->dump() == "\"dynamic\"";
    if (!is_dynamic && (type->dump() != "\"yarn\"" || trained == nullptr)) continue;
    const double from =
        is_dynamic || !trained->is_number() ? static_cast<double>(positions) : trained->number();
    const double farther = from * std::min(factor->number(), 1e6);
    if (farther <= 1e9) return std::max(positions, static_cast<int64_t>(farther));
  }
  return positions;
}

}  // namespace

ModelTokens read_model_tokens(const fs::path& model_directory) {
  const Settings settings(model_directory);
  const std::string& where = settings.config_file();
  ModelTokens tokens;
  const SequenceKind& kind =
      require_sequence_kind(settings.config().require_string("model_type", where), where);
  tokens.is_causal = kind.is_causal;
  tokens.starts_with_bos = kind.starts_with_bos;
  tokens.bos = settings.id("bos_token_id");
  const std::vector<int64_t> eos = settings.ids("eos_token_id", /*may_be_list=*/true);
  if (eos.empty()) {
    throw InputError("the model has no token that ends a text: eos_token_id is missing", where,
                     "use the configuration that was published with the model");
  }
  tokens.eos = tokens.target_end = eos.front();
  tokens.eos_ids = settings.ends();
  tokens.forced_bos = settings.forced("forced_bos_token_id", std::nullopt);
  // The key in early BART models (transformers' BartConfig).
  const Json* const forces_bos = settings.config().find("force_bos_token_to_be_generated");
  if (kind.starts_with_bos && !settings.has_generation_config() && !tokens.forced_bos &&
      forces_bos != nullptr && forces_bos->dump() == "true") {
    tokens.forced_bos = tokens.bos;
  }
  tokens.forced_eos =
      settings.forced("forced_eos_token_id", kind.starts_with_bos ? tokens.eos : std::nullopt);
  if (kind.positions != nullptr) {
    tokens.max_positions = positions_of(settings.config(), kind.positions, where);
  }
  if (tokens.is_causal) return tokens;
  tokens.decoder_start = settings.decoder_start();
  tokens.generation_start = settings.generation_start();
  if (!tokens.decoder_start) {
    throw InputError(
        "nothing says which token the decoder starts with: decoder_start_token_id is "
        "missing",
        where, "use the configuration that was published with the model");
  }
  return tokens;
}

namespace {

// The settings of transformers' GenerationConfig that change what is written, with its defaults as
// JSON.
const WordPairs kDecodingSettings("data/model_files/generation_settings.tsv", "decoding");

// What else generation_config.json may hold: tokens, which we read, and what changes no text.
const WordList kHarmless("data/model_files/generation_settings.tsv", "harmless");

}  // namespace

std::vector<std::string> ignored_generation_settings(const std::filesystem::path& model_directory) {
  Json config = text::read_optional_object(model_directory / "generation_config.json");
  const bool is_of_generation = !config.is_null() && !config.object().empty();
  if (!is_of_generation) config = Json::parse_file(model_directory / "config.json");
  std::vector<std::string> settings;
  const auto add = [&](const std::string& name, const Json& value) {
    settings.push_back(name + " " + value.dump());
  };
  for (const auto& [name, default_value] : kDecodingSettings) {
    const Json* const value = config.find(name);
    if (value == nullptr || value->is_null()) continue;
    const Json usual = Json::parse(default_value, name);
    const bool is_usual = value->is_number() && usual.is_number()
                              ? value->number() == usual.number()
                              : value->dump() == usual.dump();
    if (!is_usual) add(name, *value);
  }
  if (!is_of_generation) return settings;
  for (const auto& [name, value] : config.object()) {
    const auto is_it = [&](const auto& setting) { return setting.first == name; };
    const bool is_known =
        std::ranges::any_of(kDecodingSettings, is_it) || std::ranges::count(kHarmless, name) > 0;
    if (!is_known && !value.is_null()) add(name, value);
  }
  return settings;
}

}  // namespace rubric::data
