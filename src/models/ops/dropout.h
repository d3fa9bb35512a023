// Dropout whose mask is a hash, so that it needs no storage and no generator state: the same
// example gets the same mask on any rank, in any batch, and after any interruption. On other
// devices libtorch's generator draws the masks. It starts anew for every micro-batch
// (seed_dropout() in train/tasks/trained_model.h), so its state is not saved either, and a resumed
// run gets the same masks; but they depend on how a batch is divided into micro-batches and shares.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace rubric::models {

// One key for each token of packed rows, from (seed, step, example, position); layers derive their
// masks from them with `site`. Undefined keys, as in inference, or rate 0 mean no dropout.
struct DropoutKeys {
  at::Tensor rows;  // int64 [tokens], on the CPU
  bool enabled() const { return rows.defined(); }
  DropoutKeys select(const at::Tensor& indices) const;  // the keys of some rows
};

// Throws c10::Error unless the keys are undefined or adjacent and one for each of `tokens`, as
// dropout(), add_norm() and packed_attention() on the CPU need them.
void require_keys(const DropoutKeys& keys, int64_t tokens);

// Sets element j of row t of `out` to that of `in` scaled by 1/(1-rate), or to 0 with probability
// `rate`: a pure function of (keys[t], site, j). in, out: float32, [rows, width], contiguous.
void apply_mask(const float* in, float* out, const int64_t* keys, int64_t rows, int64_t width,
                double rate, uint64_t site);

// x [tokens, width] with dropout, differentiable; x itself when the keys are undefined.
at::Tensor dropout(const at::Tensor& x, const DropoutKeys& keys, double rate, uint64_t site);

}  // namespace rubric::models
