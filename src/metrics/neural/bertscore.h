// BERTScore (Zhang et al. 2020) as the package bert-score 0.3.13 computes it: the metric, and its
// parts: distinct texts as token rows, token weights, greedy matching, and the embeddings of the
// texts being compared.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/records.h"
#include "data/tokens/batches.h"
#include "distributed/ranks.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/bertscore_kind.h"
#include "metrics/neural/model_use.h"
#include "models/encoders/encoder.h"
#include "text/tokenizer.h"

namespace rubric::metrics {

struct BertScoreOptions {
  // Whose output is compared; else the usual one of the model's name.
  std::optional<int64_t> layer = {};
  // Weight tokens by inverse document frequency in the references that are scored.
  bool idf = false;
  std::filesystem::path baseline = {};    // the file to rescale with; "": no rescaling
  bool int8 = false;                      // the weights in 8 bits (models/ops/linear.h)
  int64_t max_tokens = kTokensPerThread;  // only tests set another
  // Tokens whose vectors are kept at once, besides those needed again; only tests set another.
  int64_t window_tokens = 16384;
  bool show_progress = false;
  const distributed::Ranks& ranks =
      distributed::kSingleProcess;  // share the texts; all call score()
};

// The metric `bertscore`: F1, with precision and recall as bertscore_p and bertscore_r; with
// several references the maximum of each. A row with an empty text scores 0 before rescaling; a
// warning counts them. Texts longer than the model's positions are truncated and counted. `model`
// is a name or a directory. Throws InputError when it is not an encoder with a tokenizer, when its
// layer is unknown or out of range, for a malformed baseline, and, while scoring, for a record
// without a reference; Error when a score is not finite.
std::unique_ptr<AnswerMetric> make_bertscore(const std::string& model,
                                             const BertScoreOptions& options = {});

// Data that bert-score ships: the layer to use for each model, and baselines.

// The layer that bert-score 0.3.13 uses for a model of this name (its table model2layers, as far as
// models/encoders/list.h has the models' kinds): the published name, with or without its owner, or
// a directory of that name. Nothing for other models.
std::optional<int64_t> usual_layer(const std::string& model);

// Precision, recall and F1 of unrelated texts.
using Baseline = std::array<double, 3>;

// Reads the row of `layer` from a file of bert-score's rescale_baseline/: CSV with the columns
// LAYER, P, R and F. Throws InputError naming file and line when there is none or a value is not
// below 1.
Baseline read_baseline(const std::filesystem::path& file, int64_t layer);

// The parts (section 3 of the paper).

class DistinctTexts {
 public:
  // Rows have at most `max_length` tokens, which is at least 2; longer texts are truncated at their
  // end.
  DistinctTexts(const text::Tokenizer& tokenizer, int64_t max_length);

  // Returns the text's row number, adding a row for a new text. Encodes as bert-score does:
  // stripped of white space, after a blank (which tells byte-level BPE that a word begins), in
  // [CLS] … [SEP]. An empty text is [CLS] [SEP].
  int64_t add(std::string_view text);

  const data::TokenBatch& rows() const { return rows_; }
  bool is_empty(int64_t row) const { return rows_.length(row) == 2; }
  bool is_truncated(int64_t row) const { return is_truncated_[static_cast<size_t>(row)]; }
  int64_t truncated() const;  // the number of truncated rows

 private:
  void encode(std::string_view stripped);

  const text::Tokenizer& tokenizer_;
  int64_t max_length_;
  data::TokenBatch rows_;
  std::vector<bool> is_truncated_;                  // by row
  std::unordered_map<std::string, int64_t> known_;  // text → row
};

// Token weights and greedy matching.

// The weight of each token of the vocabulary, by its id.
using TokenWeights = std::vector<double>;

// Weight 1 for every token, 0 for the special tokens around a row.
TokenWeights equal_weights(const text::Tokenizer& tokenizer);

// log((n + 1) / (document frequency + 1)) over n documents (rows of `texts`; one listed twice
// counts twice): 0 for the special tokens around a row, which are in all of them.
TokenWeights inverse_document_frequencies(const text::Tokenizer& tokenizer,
                                          const data::TokenBatch& texts,
                                          std::span<const int64_t> documents);

// A text's tokens: their unit vectors, float32 [tokens, hidden], and ids.
struct EmbeddedText {
  at::Tensor vectors;
  std::span<const int64_t> ids;
};

struct Match {
  double precision = 0, recall = 0, f1 = 0;
  bool is_defined = true;  // false: all tokens of a text have weight 0, so there is no average
};

// The weighted average of each token's similarity to the most similar token of the other text. What
// is undefined is 0, and so is F1 then; for an empty text, [CLS] [SEP], all three are 0.
Match match_greedily(const EmbeddedText& candidate, const EmbeddedText& reference,
                     const TokenWeights& weights);

// Embeddings.

// A candidate and one of its references, as rows of the texts.
struct TextPair {
  int64_t candidate, reference;
};

// Holds the vectors of the texts that are being compared and of those needed again, each computed
// once.
class TextEmbeddings {
 public:
  // Vectors are the output of layer `layer`; `pairs` are all comparisons to come. The arguments
  // must outlive this.
  TextEmbeddings(const models::Encoder& model, int64_t layer, const data::TokenBatch& texts,
                 std::span<const TextPair> pairs,
                 const distributed::Ranks& ranks = distributed::kSingleProcess);

  bool has(int64_t row) const { return vectors_[static_cast<size_t>(row)].defined(); }

  // Computes the texts of `rows` that are not held yet, in batches of at most `max_tokens` tokens
  // as compute_batches() does, on all ranks. Calls `advance` with the number of texts after each
  // batch.
  void compute(const std::vector<int64_t>& rows, int64_t max_tokens,
               const std::function<void(int64_t)>& advance);

  EmbeddedText operator[](int64_t row) const;  // requires has(row)

  // Marks these comparisons as done and drops the texts that no other one needs.
  void release(std::span<const TextPair> pairs);

 private:
  at::Tensor embed(std::span<const int64_t> rows) const;  // the rows' vectors, concatenated

  const models::Encoder& model_;
  int64_t layer_;
  const data::TokenBatch& texts_;
  const distributed::Ranks& ranks_;
  std::vector<at::Tensor> vectors_;  // by row; undefined: not computed or dropped
  std::vector<int64_t> uses_;        // by row: remaining comparisons
};

}  // namespace rubric::metrics
