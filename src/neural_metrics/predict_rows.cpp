#include "neural_metrics/predict_rows.h"

#include "core/signals.h"

namespace rubric {

at::Tensor predict_rows(const TokenBatch& rows, int64_t max_tokens,
                        const std::function<at::Tensor(const PackedTokens&)>& predict,
                        const std::function<void(int64_t)>& advance, WorkShare share) {
  const at::NoGradGuard no_grad;
  std::vector<int64_t> lengths;
  for (int64_t row = 0; row < rows.rows(); ++row) lengths.push_back(rows.length(row));
  const ExampleIndices order = longest_first(lengths);
  ExampleIndices computed;
  std::vector<at::Tensor> pieces;
  int64_t number = 0;
  for (const auto batch : micro_batches(order, lengths, max_tokens)) {
    end_if_stop_requested();
    if (share.has(number++)) {
      pieces.push_back(predict(pack(select_rows(rows, batch))));
      computed.insert(computed.end(), batch.begin(), batch.end());
    }
    if (advance) advance(std::ssize(batch));
  }
  if (pieces.empty()) return at::empty({0});
  const at::Tensor sorted = at::cat(pieces).to(at::kCPU);
  std::vector<int64_t> shape = sorted.sizes().vec();
  shape[0] = rows.rows();
  return at::zeros(shape, sorted.options())
      .index_copy_(0, at::tensor(at::IntArrayRef(computed), at::kLong), sorted);
}

}  // namespace rubric
