// The metrics `lerc` and `similarity`: models trained on human scores
// (metrics/neural/lerc_model.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "distributed/ranks.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/lerc_kind.h"
#include "metrics/neural/model_use.h"
#include "metrics/ngram/answer_features.h"

namespace rubric::metrics {

struct LercOptions {
  int64_t max_tokens = kTokensPerThread;  // only tests set another
  bool int8 = false;                      // the encoder's weights in 8 bits (models/ops/linear.h)
  bool verdict = false;  // adds the field "verdict": right, or wrong below the card's threshold
  bool explain = false;  // adds the field "explanation" (explanation())
  bool show_progress = false;
  // Share the batches; all call score().
  const distributed::Ranks& ranks = distributed::kSingleProcess;
};

// The metric `lerc`, or `similarity` (reference first, candidate second): the one for the task that
// the model was trained for. With several references the maximum over them. Rows with missing
// inputs (a passage or question that the model reads) are scored, and a warning counts them. Throws
// InputError when the directory is not a model trained for `task`, for verdicts of one without a
// threshold and, while scoring, for a record that does not fit; Error when a score is not finite.
std::unique_ptr<AnswerMetric> make_lerc(const std::string& task,
                                        const std::filesystem::path& model_directory,
                                        const LercOptions& options = {});

// What a score comes from: the score without each word of the candidate (Li, Monroe and Jurafsky
// 2016, "Understanding neural networks through representation erasure").

// The words of a candidate that are left out, the first ones, because each costs a pass.
inline constexpr size_t kMostExplainedWords = 64;

// The text without words[i] of its text::words_as_written() and the white space behind it or, of
// the last word, before it.
std::string without_word(std::string_view text, std::span<const std::string_view> words, size_t i);

// The text with another word in the place of `word`, which is a view into the text.
std::string with_another_word(std::string_view text, std::string_view word, std::string_view other);

// The row that gave an answer its score.
struct ExplainedRow {
  size_t reference = 0;         // of the answer's references
  double score = 0;             // of the row
  double encoder = 0;           // what the encoder alone says, of a model that reads features
  std::vector<float> features;  // that the model reads
  std::vector<int64_t> ids = {};
};

// A word that is left out.
struct ExplainedWord {
  std::string_view word;
  // Whether another word in its place gives the row other tokens; else it stands behind where the
  // row is cut. (Leaving it out would not tell: the same word behind it would take its place.)
  bool is_encoded = true;
  bool is_read = true;       // is_encoded, or the features change when it is left out
  double score_without = 0;  // of the row
};

// {"reference": text, "encoder": score, "features": {name: value}, "cut": words that the encoder
// does not read, "words": [[word, score - its score without the word], …]}; encoder and features of
// a model that reads features alone, cut where there are such words, and null for the difference
// of a word that the model does not read at all. There are no words where a refusal is scored as
// the reference that says the same (metrics/ngram/refusals.h).
Json explanation(const std::string& reference, const ExplainedRow& row,
                 std::span<const AnswerFeature* const> features,
                 std::span<const ExplainedWord> words);

}  // namespace rubric::metrics
