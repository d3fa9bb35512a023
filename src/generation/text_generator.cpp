#include "generation/text_generator.h"

#include <algorithm>

#include "core/error.h"
#include "core/signals.h"
#include "data/batches.h"

namespace rubric {

TextGenerator::TextGenerator(const std::filesystem::path& model_directory, const PairConfig& config,
                             const GenerationOptions& options)
    : opened_(open_sequence_model(model_directory, config)),
      template_(pair_template(config, opened_.tokens, (model_directory / "config.json").string())),
      options_(options) {
  const int64_t longest = opened_.tokens.longest;
  if (longest == 0 || options.max_new_tokens < longest + (opened_.tokens.is_causal ? 0 : 1)) {
    return;
  }
  throw InputError("the model has positions for " + std::to_string(longest) +
                       " tokens, too few for " + std::to_string(options.max_new_tokens) +
                       " new ones" + (opened_.tokens.is_causal ? " behind a source" : ""),
                   model_directory.string(), "lower --max-new-tokens");
}

void TextGenerator::check(std::span<const SourceTarget> records) const {
  PairEncoder encoder(*opened_.tokenizer, template_);
  for (const SourceTarget& record : records) {
    end_if_stop_requested();
    TokenPairs row;
    encoder.encode_source(record, options_.max_new_tokens, row);
  }
  encoder.warn_of_cuts(records.size());
}

std::vector<std::string> TextGenerator::texts(std::span<const SourceTarget> records, int64_t first,
                                              int64_t batch) const {
  PairEncoder encoder(*opened_.tokenizer, template_);
  TokenPairs pairs;
  for (const SourceTarget& record : records) {
    encoder.encode_source(record, options_.max_new_tokens, pairs);
  }
  std::vector<int64_t> lengths;
  for (int64_t row = 0; row < pairs.rows(); ++row) lengths.push_back(pairs.sources.length(row));
  const ExampleIndices order = longest_first(lengths);
  std::vector<std::string> texts(records.size());
  for (size_t begin = 0; begin < order.size(); begin += static_cast<size_t>(batch)) {
    const auto rows =
        std::span(order).subspan(begin, std::min(static_cast<size_t>(batch), order.size() - begin));
    std::vector<int64_t> numbers;
    for (const int64_t row : rows) numbers.push_back(first + row);
    auto tokens =
        generate(*opened_.model, opened_.tokens, select_pairs(pairs, rows), numbers, options_);
    for (size_t i = 0; i < rows.size(); ++i) {
      texts[static_cast<size_t>(rows[i])] = text_of(std::move(tokens[i]));
    }
  }
  return texts;
}

// Added tokens are part of a text; what ended it is not, nor is the blank before an end of one's
// own (PairTemplate), which some tokenizers make a token of.
std::string TextGenerator::text_of(std::vector<int64_t> tokens) const {
  const bool is_ended = std::ranges::count(opened_.tokens.ends, tokens.back()) > 0;
  if (is_ended) tokens.pop_back();
  std::string text = opened_.tokenizer->decode(tokens);
  if (is_ended && !template_.end_text.empty() && text.ends_with(' ')) text.pop_back();
  return text;
}

std::string TextGenerator::fingerprint() const {
  return rubric::fingerprint(opened_);
}

}  // namespace rubric
