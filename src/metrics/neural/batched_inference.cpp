#include "metrics/neural/batched_inference.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include "core/system/signals.h"
#include "models/ops/autocast.h"

namespace rubric {

int64_t tokens_of_batch(int64_t max_tokens, c10::Device device) {
  return device.is_cpu() ? std::min(max_tokens, kTokensOfThread) : max_tokens;
}

void compute_batches(const std::vector<std::span<const int64_t>>& batches, c10::Device device,
                     WorkShare share, const std::function<void(size_t)>& compute,
                     const std::function<void(int64_t)>& advance) {
  std::atomic<size_t> next = 0;
  std::mutex advancing;
  const bool is_low_precision = is_autocast(device.type());
  const auto take_batch = [&](size_t i) {
    end_if_stop_requested();
    if (share.has(static_cast<int64_t>(i))) compute(i);
    const std::lock_guard lock(advancing);
    if (advance) advance(std::ssize(batches[i]));
  };
  const auto take_batches = [&](int64_t, int64_t) {
    // Threads do not inherit either.
    const at::NoGradGuard no_grad;
    const Autocast precision(device.type(), is_low_precision);
    try {
      for (size_t i = next++; i < batches.size(); i = next++) take_batch(i);
    } catch (...) {
      next = batches.size();  // what the others have begun is the last
      throw;
    }
  };
  // Asked of all batches, not of the share's, so that ranks compute as one process does.
  const int64_t threads = at::get_num_threads();
  const bool has_one_for_each = std::ssize(batches) >= threads;
  if (!device.is_cpu() || !has_one_for_each) return take_batches(0, 1);
  at::parallel_for(0, threads, 1, take_batches);
}

}  // namespace rubric
