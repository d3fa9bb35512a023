// A classifier or regression head on an encoder: all texts of a unit in one row.
#include "models/encoders/classifier.h"

#include <utility>

#include "core/hash.h"
#include "data/model_files/model_directory.h"
#include "metrics/neural/recipes/head.h"
#include "metrics/neural/recipes/kind.h"
#include "models/encoders/list.h"

namespace rubric::metrics {
namespace {

class ClassifierHead final : public RecipeHead {
 public:
  ClassifierHead(const Recipe& recipe, const std::filesystem::path& directory, const ModelUse& use)
      : recipe_(recipe),
        model_(models::load_classifier(directory, recipe.layer)),
        reader_(open_reader(directory, *model_.encoder, recipe)),
        fingerprint_(models::fingerprint(model_.tensors()) + reader_.tokenizer->fingerprint() +
                     model_.config_values),
        ranks_(use.ranks) {
    model_.encoder->pack_weights(use.settings.has(kInt8) ? models::Packing::int8
                                                         : models::Packing::float32);
  }

  HeadOutputs outputs(std::span<const UnitTexts> units) const override {
    data::TokenBatch rows;
    HeadOutputs result;
    for (const UnitTexts& texts : units) {
      std::vector<std::vector<int64_t>> ids;
      for (const std::string& text : texts) ids.push_back(reader_.ids(text));
      result.truncated.push_back(reader_.append_row(std::move(ids), recipe_, rows));
    }
    result.values =
        predict_on_ranks(rows, width(), *model_.encoder, ranks_,
                         [&](const models::PackedTokens& tokens) { return model_.logits(tokens); });
    return result;
  }
  int64_t count_tokens(std::string_view text) const override {
    return std::ssize(reader_.ids(text));
  }
  std::vector<std::string> classes() const override { return model_.classes; }
  int64_t width() const override { return models::outputs_of(model_.output); }
  std::string fingerprint() const override { return fingerprint_; }
  int64_t max_length() const override { return reader_.max_length; }

 private:
  const Recipe& recipe_;
  models::Classifier model_;
  TextReader reader_;
  std::string fingerprint_;
  const distributed::Ranks& ranks_;
};

}  // namespace

std::unique_ptr<RecipeHead> open_classifier(const Recipe& recipe, const ModelUse& use) {
  return std::make_unique<ClassifierHead>(
      recipe, data::find_model(use.model, models::encoder_types()), use);
}

}  // namespace rubric::metrics
