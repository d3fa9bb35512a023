// Which threads compute the batches of a model that is not being trained.
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

// The tokens that a thread computes at once. MiniLM on two threads was as fast with 512 to 4,096,
// and each takes memory on every thread.
constexpr int64_t kTokensOfThread = 1024;

// How many tokens a batch has where `max_tokens` are the most that is computed at once: on the CPU
// kTokensOfThread at most, as each thread has a batch.
int64_t tokens_of_batch(int64_t max_tokens, c10::Device device);

// Calls compute(i), without gradients, for each of the batches that the share has, and afterwards
// `advance`, if any, with the size of each batch, of those that others compute, too. On the CPU
// each thread takes one batch after another and waits for no other one between the model's steps;
// `compute` is then called by several at once, under the caller's autocast. Batches that are fewer
// than the threads are computed in turn, by all of them; measured on two threads, where no thread
// waits for more than one batch. `advance` is called by one at a time.
// Throws what `compute` threw, and Interrupted when a stop is requested; nothing new is begun then.
void compute_batches(const std::vector<std::span<const int64_t>>& batches, c10::Device device,
                     WorkShare share, const std::function<void(size_t)>& compute,
                     const std::function<void(int64_t)>& advance);

// A model over many rows, without gradients.

// What `predict` gives for every row, float32 [rows, …] on the CPU in the order of the rows,
// computed on `device` by compute_batches(), in batches of tokens_of_batch(). After each
// batch `advance` is told how many rows it had. The batches do not depend on the share: of several,
// only its own are computed, and the other rows are 0; without any, [0].
at::Tensor predict_rows(const data::TokenBatch& rows, int64_t max_tokens, c10::Device device,
                        const std::function<at::Tensor(const models::PackedTokens&)>& predict,
                        const std::function<void(int64_t)>& advance = {}, WorkShare share = {});

// What a model predicts must be numbers.

// Throws Error naming the record when a score is not finite: a file has no place for such numbers,
// and one of them makes every mean undefined.
void require_finite(std::span<const double> scores, const data::Answer& answer);

}  // namespace rubric::metrics
