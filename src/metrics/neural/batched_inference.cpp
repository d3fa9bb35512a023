#include "metrics/neural/batched_inference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include "core/context.h"
#include "core/error.h"
#include "data/tokens/tokenized_answers.h"
#include "models/ops/device.h"

namespace rubric::metrics {

int64_t tokens_of_batch(int64_t max_tokens, c10::Device device) {
  return device.is_cpu() ? std::min(max_tokens, kTokensPerThread) : max_tokens;
}

void compute_batches(const std::vector<std::span<const int64_t>>& batches, c10::Device device,
                     WorkShare share, const std::function<void(size_t)>& compute,
                     const std::function<void(int64_t)>& advance) {
  std::atomic<size_t> next = 0;
  std::mutex advancing;
  const bool is_low_precision = models::is_autocast(device.type());
  const auto take_batch = [&](size_t i) {
    end_if_stop_requested();
    if (share.has(static_cast<int64_t>(i))) compute(i);
    const std::lock_guard lock(advancing);
    if (advance) advance(std::ssize(batches[i]));
  };
  const Context& context = current_context();
  const auto take_batches = [&](int64_t, int64_t) {
    // New threads inherit none of these.
    const ContextScope scope(context);
    const at::NoGradGuard no_grad;
    const models::Autocast precision(device.type(), is_low_precision);
    try {
      for (size_t i = next++; i < batches.size(); i = next++) take_batch(i);
    } catch (...) {
      next = batches.size();  // no thread starts another batch
      throw;
    }
  };
  // Decided by all batches, not only the share's, so that ranks compute as one process does.
  const int64_t threads = at::get_num_threads();
  const bool has_one_for_each = std::ssize(batches) >= threads;
  if (!device.is_cpu() || !has_one_for_each) return take_batches(0, 1);
  at::parallel_for(0, threads, 1, take_batches);
}

at::Tensor predict_rows(const data::TokenBatch& rows, int64_t max_tokens, c10::Device device,
                        const std::function<at::Tensor(const models::PackedTokens&)>& predict,
                        const std::function<void(int64_t)>& advance, WorkShare share) {
  std::vector<int64_t> lengths;
  for (int64_t row = 0; row < rows.rows(); ++row) lengths.push_back(rows.length(row));
  const data::ExampleIndices order = data::longest_first(lengths);
  const auto batches = data::micro_batches(order, lengths, tokens_of_batch(max_tokens, device));
  std::vector<at::Tensor> predicted(batches.size());
  compute_batches(
      batches, device, share,
      [&](size_t i) { predicted[i] = predict(models::pack(data::select_rows(rows, batches[i]))); },
      advance);

  data::ExampleIndices computed;
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

void require_finite(std::span<const double> scores, const data::Answer& answer) {
  for (const double score : scores) {
    if (std::isfinite(score)) continue;
    throw Error("the model predicts " + std::to_string(score), data::record_place("", answer),
                "train the model again, or fetch it again: its weights are not usable");
  }
}

}  // namespace rubric::metrics
