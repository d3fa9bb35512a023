#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/tokens/batches.h"
#include "distributed/collective.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/bertscore.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {

namespace {

// The weighted mean of `values`, one for each token; nothing when all weights are 0.
std::optional<double> weighted_mean(std::span<const float> values, std::span<const int64_t> ids,
                                    const TokenWeights& weights) {
  double sum = 0, total = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double weight = weights[static_cast<size_t>(ids[i])];
    sum += weight * static_cast<double>(values[i]);
    total += weight;
  }
  return total > 0 ? std::optional(sum / total) : std::nullopt;
}

}  // namespace

DistinctTexts::DistinctTexts(const text::Tokenizer& tokenizer, int64_t max_length)
    : tokenizer_(tokenizer), max_length_(max_length) {}

int64_t DistinctTexts::add(std::string_view text) {
  const std::string_view stripped = text::strip(text);
  const auto [found, is_new] = known_.emplace(stripped, rows_.rows());
  if (is_new) encode(stripped);
  return found->second;
}

int64_t DistinctTexts::truncated() const {
  return std::ranges::count(is_truncated_, true);
}

void DistinctTexts::encode(std::string_view stripped) {
  const text::TokensAround& around = tokenizer_.around();
  std::vector<int64_t> ids;
  if (!stripped.empty()) {
    tokenizer_.encode((tokenizer_.marks_first_word() ? " " : "") + std::string(stripped), ids);
  }
  const int64_t special = std::ssize(around.before) + std::ssize(around.after);
  const auto longest = static_cast<size_t>(std::max<int64_t>(max_length_ - special, 0));
  is_truncated_.push_back(ids.size() > longest);
  ids.resize(std::min(ids.size(), longest));
  for (const std::vector<int64_t>* const part :
       {&around.before, &std::as_const(ids), &around.after}) {
    rows_.ids.insert(rows_.ids.end(), part->begin(), part->end());
  }
  rows_.segments.resize(rows_.ids.size(), 0);
  rows_.offsets.push_back(static_cast<int64_t>(rows_.ids.size()));
}

TokenWeights equal_weights(const text::Tokenizer& tokenizer) {
  TokenWeights weights(static_cast<size_t>(tokenizer.size()), 1.0);
  weights[static_cast<size_t>(tokenizer.cls_id())] = 0;
  weights[static_cast<size_t>(tokenizer.sep_id())] = 0;
  return weights;
}

TokenWeights inverse_document_frequencies(const text::Tokenizer& tokenizer,
                                          const data::TokenBatch& texts,
                                          std::span<const int64_t> documents) {
  std::vector<int64_t> occurring(static_cast<size_t>(tokenizer.size()), 0);
  for (const int64_t row : documents) {
    const auto ids =
        std::span(texts.ids).subspan(static_cast<size_t>(texts.offsets[static_cast<size_t>(row)]),
                                     static_cast<size_t>(texts.length(row)));
    for (const int64_t id : std::unordered_set<int64_t>(ids.begin(), ids.end())) {
      ++occurring[static_cast<size_t>(id)];
    }
  }
  TokenWeights weights;
  weights.reserve(occurring.size());
  const auto count = static_cast<double>(documents.size());
  for (const int64_t n : occurring) {
    weights.push_back(std::log((count + 1) / (static_cast<double>(n) + 1)));
  }
  return weights;
}

Match match_greedily(const EmbeddedText& candidate, const EmbeddedText& reference,
                     const TokenWeights& weights) {
  if (candidate.ids.size() == 2 || reference.ids.size() == 2) return {};
  const at::Tensor similarities = at::mm(candidate.vectors, reference.vectors.t());
  const float* value = similarities.const_data_ptr<float>();
  constexpr float kLeast = -std::numeric_limits<float>::infinity();
  std::vector<float> best_of_candidate(candidate.ids.size(), kLeast);
  std::vector<float> best_of_reference(reference.ids.size(), kLeast);
  for (float& best : best_of_candidate) {
    for (float& best_there : best_of_reference) {
      best = std::max(best, *value);
      best_there = std::max(best_there, *value);
      ++value;
    }
  }
  const auto precision = weighted_mean(best_of_candidate, candidate.ids, weights);
  const auto recall = weighted_mean(best_of_reference, reference.ids, weights);
  Match match{precision.value_or(0), recall.value_or(0), 0, precision && recall};
  const double sum = match.precision + match.recall;
  if (match.is_defined && sum != 0) match.f1 = 2 * match.precision * match.recall / sum;
  return match;
}

TextEmbeddings::TextEmbeddings(const models::Encoder& model, int64_t layer,
                               const data::TokenBatch& texts, std::span<const TextPair> pairs,
                               const distributed::Ranks& ranks)
    : model_(model),
      layer_(layer),
      texts_(texts),
      ranks_(ranks),
      vectors_(static_cast<size_t>(texts.rows())),
      uses_(vectors_.size(), 0) {
  for (const TextPair& pair : pairs) {
    for (const int64_t row : {pair.candidate, pair.reference}) ++uses_[static_cast<size_t>(row)];
  }
}

void TextEmbeddings::compute(const std::vector<int64_t>& rows, int64_t max_tokens,
                             const std::function<void(int64_t)>& advance) {
  if (rows.empty()) return;
  std::vector<int64_t> lengths;
  for (const int64_t row : rows) lengths.push_back(texts_.length(row));
  const data::ExampleIndices order = data::longest_first(lengths);
  const auto batches = data::micro_batches(order, lengths, max_tokens);
  // The rows by length, and the offsets of their vectors.
  std::vector<int64_t> sorted, offsets = {0};
  for (const int64_t i : order) {
    sorted.push_back(rows[static_cast<size_t>(i)]);
    offsets.push_back(offsets.back() + lengths[static_cast<size_t>(i)]);
  }
  const std::array<int64_t, 2> shape = {offsets.back(), model_.limits().width};
  const at::Tensor vectors = distributed::gather_shares(ranks_, shape, [&](WorkShare share) {
    const at::Tensor mine = at::zeros(shape);
    compute_batches(
        batches, model_.device(), share,
        [&](size_t i) {
          const auto first = static_cast<size_t>(batches[i].data() - order.data());
          const size_t size = batches[i].size();
          mine.narrow(0, offsets[first], offsets[first + size] - offsets[first])
              .copy_(embed(std::span(sorted).subspan(first, size)));
        },
        advance);
    return mine;
  });
  for (size_t i = 0; i < sorted.size(); ++i) {
    vectors_[static_cast<size_t>(sorted[i])] =
        vectors.narrow(0, offsets[i], offsets[i + 1] - offsets[i]);
  }
}

at::Tensor TextEmbeddings::embed(std::span<const int64_t> rows) const {
  const at::Tensor states =
      model_.states_cut_behind(models::pack(data::select_rows(texts_, rows)), layer_);
  return states / at::norm(states, 2, {1}, true);
}

EmbeddedText TextEmbeddings::operator[](int64_t row) const {
  const auto begin = static_cast<size_t>(texts_.offsets[static_cast<size_t>(row)]);
  return {vectors_[static_cast<size_t>(row)],
          std::span(texts_.ids).subspan(begin, static_cast<size_t>(texts_.length(row)))};
}

void TextEmbeddings::release(std::span<const TextPair> pairs) {
  for (const TextPair& pair : pairs) {
    for (const int64_t row : {pair.candidate, pair.reference}) --uses_[static_cast<size_t>(row)];
  }
  for (const TextPair& pair : pairs) {
    for (const int64_t row : {pair.candidate, pair.reference}) {
      at::Tensor& vectors = vectors_[static_cast<size_t>(row)];
      if (uses_[static_cast<size_t>(row)] == 0) {
        vectors.reset();
      } else if (vectors.defined() && vectors.storage().nbytes() > vectors.nbytes()) {
        vectors = vectors.clone();  // so as not to keep the rest of the batch
      }
    }
  }
}

}  // namespace rubric::metrics
