// The cosine of two texts' vectors, as sentence-transformers pools and compares them: the mean of a
// text's tokens, or its first token, as the folder's 1_Pooling/config.json says.
#include <unordered_map>
#include <utility>

#include <ATen/ATen.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "data/model_files/model_directory.h"
#include "metrics/neural/recipes/head.h"
#include "metrics/neural/recipes/kind.h"
#include "models/encoders/classifier.h"
#include "models/encoders/list.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

constexpr const char* kUsePlainPooling =
    "use a model whose vectors are means, or of the first token";

std::optional<Json> json_at(const std::filesystem::path& file) {
  if (!is_there(file, "fetch the model again, or name another one")) return std::nullopt;
  return Json::parse_file(file);
}

bool is_true(const Json& json, std::string_view key) {
  const Json* const value = json.find(key);
  return value != nullptr && value->is_bool() && value->boolean();
}

// What sentence-transformers' files beside the model say.
struct SentenceFiles {
  bool pools_first = false, lowercases = false;
  int64_t max_length = int64_t{1} << 20;

  explicit SentenceFiles(const std::filesystem::path& directory) {
    read_pooling(directory / pooling_folder(directory / "modules.json") / "config.json");
    const std::filesystem::path settings = directory / "sentence_bert_config.json";
    if (const std::optional<Json> json = json_at(settings)) {
      lowercases = is_true(*json, "do_lower_case");
      const Json* const longest = json->find("max_seq_length");
      if (longest != nullptr && !longest->is_null()) {
        max_length = json->require_integer("max_seq_length", settings.string());
        if (max_length < 3) {
          throw InputError(
              "max_seq_length is " + std::to_string(max_length) + ", too few tokens for a text",
              settings.string(), "use another model");
        }
      }
    }
    const std::filesystem::path prompts = directory / "config_sentence_transformers.json";
    if (const std::optional<Json> json = json_at(prompts)) {
      const Json* const prompt = json->find("default_prompt_name");
      if (prompt == nullptr || prompt->is_null()) return;
      throw InputError("default_prompt_name is " + prompt->dump() + ": texts begin with a prompt",
                       prompts.string(), "use a model without prompts");
    }
  }

 private:
  // The folder of the pooling's settings. A dense layer behind it would change the vectors.
  static std::string pooling_folder(const std::filesystem::path& file) {
    std::string folder = "1_Pooling";
    const std::optional<Json> json = json_at(file);
    if (!json || !json->is_array()) return folder;
    for (const Json& module : json->array()) {
      const std::string& type = module.require_string("type", file.string());
      const std::string name = type.substr(type.rfind('.') + 1);
      if (name == "Pooling") folder = module.require_string("path", file.string());
      if (name == "Transformer" || name == "Pooling" || name == "Normalize") continue;
      throw InputError("this version has no module " + json_quote(type), file.string(),
                       kUsePlainPooling);
    }
    return folder;
  }

  void read_pooling(const std::filesystem::path& file) {
    const std::optional<Json> json = json_at(file);
    if (!json || !json->is_object()) return;
    std::vector<std::string> modes;
    for (const auto& [key, value] : json->object()) {
      if (key.starts_with("pooling_mode_") && is_true(*json, key)) modes.push_back(key);
    }
    pools_first = modes == std::vector<std::string>{"pooling_mode_cls_token"};
    if (pools_first || modes == std::vector<std::string>{"pooling_mode_mean_tokens"}) return;
    throw InputError("this version does not pool by " + join(modes, " and "), file.string(),
                     kUsePlainPooling);
  }
};

class SentenceVectors final : public RecipeHead {
 public:
  SentenceVectors(const Recipe& recipe, const std::filesystem::path& directory, const ModelUse& use)
      : recipe_(recipe), files_(directory), ranks_(use.ranks) {
    models::LoadedEncoder loaded = models::load_encoder(directory, {});
    encoder_ = std::move(loaded.encoder);
    reader_ = open_reader(directory, *encoder_, recipe);
    reader_.max_length = std::min(reader_.max_length, files_.max_length);
    fingerprint_ = models::fingerprint(encoder_->tensors()) + reader_.tokenizer->fingerprint() +
                   loaded.config_values + (files_.pools_first ? "first" : "") +
                   (files_.lowercases ? "lower" : "");
    encoder_->pack_weights(use.settings.has(kInt8) ? models::Packing::int8
                                                   : models::Packing::float32);
  }

  // Each distinct text is computed once.
  HeadOutputs outputs(std::span<const UnitTexts> units) const override {
    data::TokenBatch rows;
    std::vector<bool> is_cut;
    std::unordered_map<std::string, int64_t> row_of;
    std::vector<int64_t> firsts, seconds;
    for (const UnitTexts& texts : units) {
      for (size_t i = 0; i < 2; ++i) {
        const auto [found, is_new] = row_of.try_emplace(texts[i], rows.rows());
        if (is_new) is_cut.push_back(reader_.append_row({ids_of(texts[i])}, recipe_, rows));
        (i == 0 ? firsts : seconds).push_back(found->second);
      }
    }
    const at::Tensor vectors =
        predict_on_ranks(rows, encoder_->limits().width, *encoder_, ranks_,
                         [&](const models::PackedTokens& tokens) { return vectors_of(tokens); });
    HeadOutputs result;
    const auto take = [&](const std::vector<int64_t>& of) {
      return vectors.index_select(0, at::tensor(at::IntArrayRef(of), at::kLong));
    };
    result.values = (take(firsts) * take(seconds)).sum(1, /*keepdim=*/true);
    for (size_t i = 0; i < firsts.size(); ++i) {
      result.truncated.push_back(is_cut[static_cast<size_t>(firsts[i])] ||
                                 is_cut[static_cast<size_t>(seconds[i])]);
    }
    return result;
  }
  int64_t count_tokens(std::string_view text) const override {
    return std::ssize(reader_.ids(text));
  }
  int64_t width() const override { return 1; }
  std::string fingerprint() const override { return fingerprint_; }
  int64_t max_length() const override { return reader_.max_length; }

 private:
  std::vector<int64_t> ids_of(const std::string& text) const {
    const std::string stripped(text::strip(text));
    return reader_.ids(files_.lowercases ? text::lower_case(stripped) : stripped);
  }

  at::Tensor vectors_of(const models::PackedTokens& tokens) const {
    const at::Tensor pooled =
        files_.pools_first
            ? encoder_->cls_states(tokens, {})
            : models::row_means(encoder_->states_cut_behind(tokens, encoder_->limits().layers),
                                tokens.offsets);
    return pooled / pooled.norm(2, {1}, /*keepdim=*/true).clamp_min(1e-12);
  }

  const Recipe& recipe_;
  SentenceFiles files_;
  const distributed::Ranks& ranks_;
  std::unique_ptr<models::Encoder> encoder_;
  TextReader reader_;
  std::string fingerprint_;
};

}  // namespace

std::unique_ptr<RecipeHead> open_sentence_vectors(const Recipe& recipe, const ModelUse& use) {
  if (recipe.inputs.size() != 2) {
    throw InputError("the recipe " + recipe.name + " has " +
                         counted(std::ssize(recipe.inputs), "input") + ", and a cosine is of two",
                     "inputs", "list two");
  }
  return std::make_unique<SentenceVectors>(
      recipe, data::find_model(use.model, models::encoder_types()), use);
}

}  // namespace rubric::metrics
