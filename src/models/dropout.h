// Dropout whose mask is a hash and therefore needs no storage and no generator state: the same
// example gets the same mask on any rank, in any batch, and after any interruption. On other
// devices than the CPU libtorch's generator draws the masks. It starts anew for every piece of a
// batch (seed_masks in train/encoder_task.h), so its state is not saved either, and a run that goes
// on gets the same masks; but they depend on how a batch is cut into pieces and shares.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace rubric {

// One key a row of packed tokens, from (seed, step, example, position); a layer draws its own masks
// from them with `site`. Undefined keys (or rate 0) mean no dropout: inference.
struct DropoutKeys {
  at::Tensor rows;  // int64 [tokens], on the CPU
  bool enabled() const { return rows.defined(); }
  DropoutKeys select(const at::Tensor& indices) const;  // the keys of some of the rows
};

// Sets element j of row t of `out` to `in`'s, scaled by 1/(1-rate), or to 0 with probability
// `rate`. The decision is a pure function of (keys[t], site, j). in, out: float32, [rows, width],
// contiguous.
void apply_mask(const float* in, float* out, const int64_t* keys, int64_t rows, int64_t width,
                double rate, uint64_t site);

// x [tokens, width] with dropout, differentiable; x itself when the keys are not enabled.
at::Tensor dropout(const at::Tensor& x, const DropoutKeys& keys, double rate, uint64_t site);

}  // namespace rubric
