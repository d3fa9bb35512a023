#include "metrics/neural/predict_rows.h"

#include "metrics/neural/batched_inference.h"

namespace rubric {

at::Tensor predict_rows(const TokenBatch& rows, int64_t max_tokens, c10::Device device,
                        const std::function<at::Tensor(const PackedTokens&)>& predict,
                        const std::function<void(int64_t)>& advance, WorkShare share) {
  std::vector<int64_t> lengths;
  for (int64_t row = 0; row < rows.rows(); ++row) lengths.push_back(rows.length(row));
  const ExampleIndices order = longest_first(lengths);
  const auto batches = micro_batches(order, lengths, tokens_of_batch(max_tokens, device));
  std::vector<at::Tensor> predicted(batches.size());
  compute_batches(
      batches, device, share,
      [&](size_t i) { predicted[i] = predict(pack(select_rows(rows, batches[i]))); }, advance);

  ExampleIndices computed;
  std::vector<at::Tensor> pieces;
  for (size_t i = 0; i < batches.size(); ++i) {
    if (!predicted[i].defined()) continue;
    pieces.push_back(predicted[i]);
    computed.insert(computed.end(), batches[i].begin(), batches[i].end());
  }
  if (pieces.empty()) return at::empty({0});
  const at::Tensor sorted = at::cat(pieces).to(at::kCPU);
  std::vector<int64_t> shape = sorted.sizes().vec();
  shape[0] = rows.rows();
  return at::zeros(shape, sorted.options())
      .index_copy_(0, at::tensor(at::IntArrayRef(computed), at::kLong), sorted);
}

}  // namespace rubric
