#include "library/neural/text_generator.h"

#include <algorithm>

#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/tokens/batches.h"

namespace rubric::library {
namespace {

// The batches of every `group` rows, longest first.
std::vector<data::ExampleIndices> batches_of(const data::TokenBatch& sources, int64_t batch,
                                             int64_t group) {
  std::vector<data::ExampleIndices> batches;
  for (int64_t begin = 0; begin < sources.rows(); begin += group) {
    std::vector<int64_t> lengths;
    for (int64_t row = begin; row < std::min(begin + group, sources.rows()); ++row) {
      lengths.push_back(sources.length(row));
    }
    const data::ExampleIndices order = data::longest_first(lengths);
    for (size_t i = 0; i < order.size(); ++i) {
      if (i % static_cast<size_t>(batch) == 0) batches.emplace_back();
      batches.back().push_back(begin + order[i]);
    }
  }
  return batches;
}

}  // namespace

TextGenerator::TextGenerator(const std::filesystem::path& model_directory,
                             const data::PairConfig& config,
                             const models::GenerationOptions& options)
    : opened_(metrics::open_sequence_model(model_directory, config)),
      template_(
          data::pair_template(config, opened_.tokens, (model_directory / "config.json").string())),
      options_(options) {
  const int64_t longest = opened_.tokens.max_positions;
  if (longest > 0 && options.max_new_tokens >= longest + (opened_.tokens.is_causal ? 0 : 1)) {
    throw InputError("the model has positions for " + std::to_string(longest) +
                         " tokens, too few for " + std::to_string(options.max_new_tokens) +
                         " new ones" + (opened_.tokens.is_causal ? " after a source" : ""),
                     model_directory.string(), "lower --max-new-tokens");
  }
  if (opened_.tokens.eos_ids.empty()) {
    log_warning((model_directory / "generation_config.json").string() +
                ": eos_token_id is missing, so nothing ends a text before --max-new-tokens");
  }
  fingerprint_ = metrics::fingerprint(opened_);  // needs the weights as they are
  opened_.model->pack_weights(models::Packing::float32);
}

void TextGenerator::check(std::span<const data::SourceTarget> records) const {
  data::PairEncoder encoder(*opened_.tokenizer, template_);
  for (const data::SourceTarget& record : records) {
    end_if_stop_requested();
    data::TokenPairs row;
    encoder.encode_source(record, options_.max_new_tokens, row);
  }
  encoder.warn_of_truncations(records.size());
}

std::vector<std::string> TextGenerator::texts(std::span<const data::SourceTarget> records,
                                              int64_t first, int64_t batch, int64_t group,
                                              WorkShare share) const {
  data::PairEncoder encoder(*opened_.tokenizer, template_);
  data::TokenPairs pairs;
  for (const data::SourceTarget& record : records) {
    encoder.encode_source(record, options_.max_new_tokens, pairs);
  }
  const std::vector<data::ExampleIndices> batches = batches_of(pairs.sources, batch, group);
  std::vector<int64_t> lengths;  // the longest source of each batch
  for (const data::ExampleIndices& rows : batches) lengths.push_back(pairs.sources.length(rows[0]));
  std::vector<std::string> texts(records.size());
  for (const int64_t i : data::share_of(data::longest_first(lengths), share)) {
    const data::ExampleIndices& rows = batches[static_cast<size_t>(i)];
    std::vector<int64_t> numbers;
    for (const int64_t row : rows) numbers.push_back(first + row);
    auto tokens = models::generate(*opened_.model, opened_.tokens, data::select_pairs(pairs, rows),
                                   numbers, options_);
    for (size_t j = 0; j < rows.size(); ++j) {
      texts[static_cast<size_t>(rows[j])] = text_of(std::move(tokens[j]));
    }
  }
  return texts;
}

// Added tokens are part of a text. The end token is not, nor is the blank before a custom end token
// (PairTemplate), of which some tokenizers make a token.
std::string TextGenerator::text_of(std::vector<int64_t> tokens) const {
  const bool is_ended = std::ranges::count(opened_.tokens.eos_ids, tokens.back()) > 0;
  if (is_ended) tokens.pop_back();
  std::string text = opened_.tokenizer->decode(tokens);
  if (is_ended && !template_.end_text.empty() && text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace rubric::library
