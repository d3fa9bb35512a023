// What a recipe's head computes of texts, one file a head.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/tokens/batches.h"
#include "distributed/ranks.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/model_use.h"
#include "metrics/recipe.h"
#include "models/encoders/encoder.h"
#include "text/tokenizer.h"

namespace rubric::metrics {

struct HeadOutputs {
  at::Tensor values;            // float32 [units, outputs], the same on every rank
  std::vector<bool> truncated;  // of each unit: the model does not read all of its texts
};

class RecipeHead {
 public:
  virtual ~RecipeHead() = default;
  virtual HeadOutputs outputs(std::span<const UnitTexts> units) const = 0;
  virtual int64_t count_tokens(std::string_view text) const = 0;  // without special tokens
  // The classes that the outputs are named by; empty where they have no names.
  virtual std::vector<std::string> classes() const { return {}; }
  virtual int64_t width() const = 0;            // the number of outputs
  virtual std::string fingerprint() const = 0;  // of all that its outputs depend on
  virtual int64_t max_length() const = 0;
};

// Each opens the model and throws InputError where it does not fit the recipe.
std::unique_ptr<RecipeHead> open_classifier(const Recipe& recipe, const ModelUse& use);
std::unique_ptr<RecipeHead> open_sentence_vectors(const Recipe& recipe, const ModelUse& use);
std::unique_ptr<RecipeHead> open_comet(const Recipe& recipe, const ModelUse& use);
std::unique_ptr<RecipeHead> open_decoder(const Recipe& recipe, const ModelUse& use);

// In the order of kHeads (metrics/recipe.h).
inline constexpr auto kHeadOpeners = {open_classifier, open_sentence_vectors, open_comet,
                                      open_decoder};
static_assert(std::size(kHeadOpeners) == std::size(kHeads));

// What heads share.

// An encoder with its tokenizer, as heads read texts with it.
struct TextReader {
  std::unique_ptr<text::Tokenizer> tokenizer;
  int64_t max_length = 0;

  std::vector<int64_t> ids(std::string_view text) const;

  // Appends the row of a text or of several, between separators; the first is of the first segment.
  // A longer row is cut as the recipe says; returns whether it was. The longest of two texts is cut
  // as `tokenizers` cuts it, the longest of several token by token.
  bool append_row(std::vector<std::vector<int64_t>> texts, const Recipe& recipe,
                  data::TokenBatch& rows) const;
};

// Throws InputError where the tokenizer does not fit the encoder. Rows are as long as recipe, model
// and tokenizer_config.json allow.
TextReader open_reader(const std::filesystem::path& directory, const models::Encoder& encoder,
                       const Recipe& recipe);

// What `predict` gives for every row, [rows, columns], computed by all ranks.
at::Tensor predict_on_ranks(const data::TokenBatch& rows, int64_t columns,
                            const models::Encoder& encoder, const distributed::Ranks& ranks,
                            const std::function<at::Tensor(const models::PackedTokens&)>& predict);

}  // namespace rubric::metrics
