// Inference over many rows in batches, divided among threads and ranks, without gradients.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <c10/core/Device.h>

#include "core/system/parallel.h"
#include "data/records.h"
#include "data/tokens/batches.h"
#include "models/encoders/encoder.h"

namespace rubric::metrics {

// The tokens of one thread's batch. MiniLM on two threads was equally fast with 512 to 4,096, and
// each token takes memory on every thread.
constexpr int64_t kTokensPerThread = 512;

// The number of tokens of a batch when at most `max_tokens` may be computed at once: on the CPU at
// most kTokensPerThread, as each thread has its own batch.
int64_t tokens_of_batch(int64_t max_tokens, c10::Device device);

// Calls compute(i), without gradients, for each batch of the share, and afterwards `advance`, if
// set, with the size of each batch, including those of other ranks. On the CPU each thread takes
// one batch after another, so that threads do not wait for each other between a model's steps;
// `compute` then runs on several threads at once, under the caller's autocast, and `advance` on one
// at a time. When there are fewer batches than threads, all threads compute each batch together.
// Throws what `compute` threw, and Interrupted when a stop is requested; then no further batch is
// started.
void compute_batches(const std::vector<std::span<const int64_t>>& batches, c10::Device device,
                     WorkShare share, const std::function<void(size_t)>& compute,
                     const std::function<void(int64_t)>& advance);

// Predictions for rows.

// Returns what `predict` returns for every row, float32 [rows, …] on the CPU in the order of the
// rows, computed on `device` by compute_batches() in batches of tokens_of_batch(). Calls `advance`
// with the number of rows after each batch. Batches do not depend on the share: only those of the
// share are computed, and the other rows are 0; a share without batches gives [0].
at::Tensor predict_rows(const data::TokenBatch& rows, int64_t max_tokens, c10::Device device,
                        const std::function<at::Tensor(const models::PackedTokens&)>& predict,
                        const std::function<void(int64_t)>& advance = {}, WorkShare share = {});

// Checks.

// Throws Error naming the record when a score is not finite: JSON cannot hold such numbers, and one
// makes every mean undefined.
void require_finite(std::span<const double> scores, const data::Answer& answer);

}  // namespace rubric::metrics
