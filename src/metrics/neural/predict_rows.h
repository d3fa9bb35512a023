// A model over many rows, without gradients.
#pragma once

#include <functional>

#include "data/tokens/batches_part.h"
#include "models/encoders/bert.h"

namespace rubric {

// What `predict` gives for every row, float32 [rows, …] on the CPU in the order of the rows,
// computed on `device` by compute_batches(), in batches of tokens_of_batch(). After each
// batch `advance` is told how many rows it had. The batches do not depend on the share: of several,
// only its own are computed, and the other rows are 0; without any, [0].
at::Tensor predict_rows(const TokenBatch& rows, int64_t max_tokens, c10::Device device,
                        const std::function<at::Tensor(const PackedTokens&)>& predict,
                        const std::function<void(int64_t)>& advance = {}, WorkShare share = {});

}  // namespace rubric
