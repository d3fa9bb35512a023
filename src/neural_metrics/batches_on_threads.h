// Which threads compute the batches of a model that is not being trained.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <c10/core/Device.h>

#include "core/work_share.h"

namespace rubric {

// The tokens that a thread computes at once: what a layer gives is still in its cache at the next.
constexpr int64_t kTokensOfThread = 1024;

// How many tokens a batch may have on the device where up to `max_tokens` fit into memory.
int64_t tokens_of_batch(int64_t max_tokens, c10::Device device);

// Calls compute(i), without gradients, for each of the batches that the share has, and afterwards
// `advance`, if any, with the size of each batch, of those that others compute, too. On the CPU
// each thread takes one batch after another and waits for no other one between the model's steps;
// `compute` is then called by several at once, under the caller's autocast. `advance` is called by
// one at a time. Throws what `compute` threw, and Interrupted when a stop is requested.
void compute_batches(const std::vector<std::span<const int64_t>>& batches, c10::Device device,
                     WorkShare share, const std::function<void(size_t)>& compute,
                     const std::function<void(int64_t)>& advance);

}  // namespace rubric
