#include "metrics/neural/text_embeddings.h"

#include <array>

#include "data/tokens/batches_part.h"
#include "distributed/compute_together.h"
#include "metrics/neural/batched_inference.h"

namespace rubric {

TextEmbeddings::TextEmbeddings(const Bert& model, int64_t layer, const TokenBatch& texts,
                               std::span<const TextPair> pairs, const Ranks& ranks)
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
  const ExampleIndices order = longest_first(lengths);
  const auto batches = micro_batches(order, lengths, max_tokens);
  std::vector<int64_t> sorted, offsets = {0};  // the rows in this order, and their vectors
  for (const int64_t i : order) {
    sorted.push_back(rows[static_cast<size_t>(i)]);
    offsets.push_back(offsets.back() + lengths[static_cast<size_t>(i)]);
  }
  const std::array<int64_t, 2> shape = {offsets.back(), model_.config().hidden_size};
  const at::Tensor vectors = compute_together(ranks_, shape, [&](WorkShare share) {
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
  const at::Tensor states = model_.hidden_state(pack(select_rows(texts_, rows)), layer_, {});
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
        vectors = vectors.clone();  // without the rest of its batch
      }
    }
  }
}

}  // namespace rubric
