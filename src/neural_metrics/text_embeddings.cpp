#include "neural_metrics/text_embeddings.h"

#include <atomic>
#include <mutex>

#include <ATen/Parallel.h>

#include "core/signals.h"
#include "data/batches.h"

namespace rubric {

TextEmbeddings::TextEmbeddings(const Bert& model, int64_t layer, const TokenBatch& texts,
                               std::span<const TextPair> pairs)
    : model_(model),
      layer_(layer),
      texts_(texts),
      vectors_(static_cast<size_t>(texts.rows())),
      uses_(vectors_.size(), 0) {
  for (const TextPair& pair : pairs) {
    for (const int64_t row : {pair.candidate, pair.reference}) ++uses_[static_cast<size_t>(row)];
  }
}

void TextEmbeddings::compute(const std::vector<int64_t>& rows, int64_t max_tokens,
                             const std::function<void(int64_t)>& advance) {
  std::vector<int64_t> lengths;
  for (const int64_t row : rows) lengths.push_back(texts_.length(row));
  const ExampleIndices order = longest_first(lengths);
  const auto pieces = micro_batches(order, lengths, max_tokens);
  // A thread with a piece of its own waits for no other one between the model's steps, and what a
  // step leaves is still in its cache at the next.
  std::atomic<size_t> next = 0;
  std::mutex advancing;
  at::parallel_for(0, at::get_num_threads(), 1, [&](int64_t, int64_t) {
    for (size_t piece = next++; piece < pieces.size(); piece = next++) {
      end_if_stop_requested();
      std::vector<int64_t> chosen;
      for (const int64_t i : pieces[piece]) chosen.push_back(rows[static_cast<size_t>(i)]);
      compute_piece(chosen);
      const std::lock_guard lock(advancing);
      advance(std::ssize(chosen));
    }
  });
}

void TextEmbeddings::compute_piece(const std::vector<int64_t>& rows) {
  const at::NoGradGuard no_grad;  // which threads do not inherit
  const PackedTokens tokens = pack(select_rows(texts_, rows));
  const at::Tensor states = model_.hidden_state(tokens, layer_, {});
  const at::Tensor units = states / at::norm(states, 2, {1}, true);
  for (size_t i = 0; i < rows.size(); ++i) {
    vectors_[static_cast<size_t>(rows[i])] =
        units.narrow(0, tokens.offsets[i], texts_.length(rows[i]));
  }
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
        vectors = vectors.clone();  // without the rest of its batch
      }
    }
  }
}

}  // namespace rubric
