// The logits of a few tokens in the first step of a decoder whose encoder has read the texts:
// MetricX reads one of them, UniEval and MiniCheck the share of one in two.
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "distributed/collective.h"
#include "metrics/neural/opened_sequence_model.h"
#include "metrics/neural/recipes/head.h"
#include "metrics/neural/recipes/kind.h"
#include "models/ops/device.h"

namespace rubric::metrics {
namespace {

class DecoderHead final : public RecipeHead {
 public:
  DecoderHead(const Recipe& recipe, const std::filesystem::path& directory, const ModelUse& use)
      : recipe_(recipe), opened_(open_sequence_model(directory, {})), ranks_(use.ranks) {
    if (opened_.tokens.is_causal) {
      throw InputError("the recipe " + recipe.name +
                           " reads the first step of a decoder behind an encoder, and this model "
                           "has none",
                       directory.string(), "use a model of the kind that the recipe names");
    }
    find_tokens(directory);
    fingerprint_ = metrics::fingerprint(opened_);
    const models::Linear all = opened_.model->output();
    const at::Tensor rows = models::index_tensor(ids_, all.weight.device());
    output_.weight = all.weight.index_select(0, rows);
    if (all.bias.defined()) output_.bias = all.bias.index_select(0, rows);
    opened_.model->pack_weights(use.settings.has(kInt8) ? models::Packing::int8
                                                        : models::Packing::float32);
  }

  HeadOutputs outputs(std::span<const UnitTexts> units) const override {
    data::TokenBatch rows;
    HeadOutputs result;
    for (const UnitTexts& texts : units) result.truncated.push_back(append(texts.front(), rows));
    result.values =
        distributed::gather_shares(ranks_, {rows.rows(), width()}, [&](WorkShare share) {
          return predict_rows(
              rows, kTokensPerThread, device(),
              [&](const models::PackedTokens& tokens) { return logits(tokens); }, {}, share);
        });
    return result;
  }
  int64_t count_tokens(std::string_view text) const override {
    std::vector<int64_t> ids;
    opened_.tokenizer->encode(text, ids);
    return std::ssize(ids);
  }
  std::vector<std::string> classes() const override { return recipe_.tokens; }
  int64_t width() const override { return std::ssize(ids_); }
  std::string fingerprint() const override { return fingerprint_; }
  int64_t max_length() const override {
    const int64_t most = opened_.tokens.max_positions;
    return most > 0 ? std::min(most, recipe_.max_length) : recipe_.max_length;
  }

 private:
  at::Device device() const { return output_.weight.device(); }

  // Of a word its first token, as UniEval's code has it.
  void find_tokens(const std::filesystem::path& directory) {
    for (const std::string& token : recipe_.tokens) {
      std::vector<int64_t> ids;
      if (token.starts_with('#')) {
        if (const auto id = parse_count(token.substr(1))) ids.push_back(*id);
      } else {
        opened_.tokenizer->encode(token, ids);
      }
      const bool is_there = !ids.empty() && ids.front() < opened_.model->vocabulary_size() &&
                            std::ranges::count(ids_, ids.front()) == 0;
      if (!is_there) {
        throw InputError("the recipe " + recipe_.name + " reads the token " + json_quote(token) +
                             ", which is none of the model's " +
                             std::to_string(opened_.model->vocabulary_size()) +
                             " tokens, or is read already",
                         directory.string(), "use a model that the recipe was published with");
      }
      ids_.push_back(ids.front());
    }
  }

  bool append(const std::string& text, data::TokenBatch& rows) const {
    const text::TokensAround& around = opened_.tokens.around;
    std::vector<int64_t> ids;
    opened_.tokenizer->encode(text, ids);
    const int64_t most = max_length() - std::ssize(around.before) - std::ssize(around.after);
    const bool is_cut = std::ssize(ids) > most;
    if (is_cut) ids.resize(static_cast<size_t>(std::max<int64_t>(most, 0)));
    const auto put = [&](const std::vector<int64_t>& part) {
      rows.ids.insert(rows.ids.end(), part.begin(), part.end());
    };
    put(around.before);
    put(ids);
    if (recipe_.end) put(around.after);
    rows.segments.resize(rows.ids.size());
    rows.offsets.push_back(std::ssize(rows.ids));
    return is_cut;
  }

  at::Tensor logits(const models::PackedTokens& tokens) const {
    data::TokenPairs pairs;
    const int64_t* const ids = tokens.ids.const_data_ptr<int64_t>();
    pairs.sources.ids.assign(ids, ids + tokens.ids.numel());
    pairs.sources.offsets = tokens.offsets;
    for (int64_t row = 1; row <= tokens.rows(); ++row) {
      pairs.decoder_inputs.ids.push_back(opened_.tokens.decoder_start.value_or(0));
      pairs.decoder_inputs.offsets.push_back(row);
    }
    return models::float_linear(opened_.model->states(pairs, {}), output_);
  }

  const Recipe& recipe_;
  OpenedSequenceModel opened_;
  const distributed::Ranks& ranks_;
  std::vector<int64_t> ids_;
  models::Linear output_;  // of these tokens
  std::string fingerprint_;
};

}  // namespace

std::unique_ptr<RecipeHead> open_decoder(const Recipe& recipe, const ModelUse& use) {
  return std::make_unique<DecoderHead>(recipe, data::find_model(use.model, data::sequence_types()),
                                       use);
}

}  // namespace rubric::metrics
