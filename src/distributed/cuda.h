// The GPU of a rank.
#pragma once

#include <cstdint>

#include "distributed/ranks.h"

namespace rubric::distributed {

// Throws InputError unless `devices` GPUs of this rank's machine are enough for it to have its own.
void require_own_gpu(const Ranks& ranks, int devices);

// Opens CUDA's libraries, which are no part of the program, and chooses the GPU of this rank: the
// one that has the number of the rank on its machine. From then on a CUDA tensor is of that GPU,
// and the same operations give the same bits. Call it before libtorch has computed gradients.
// Throws InputError that says what is missing.
void use_gpu(const Ranks& ranks);

// Has sums and copies of tensors on GPUs go over NCCL; all ranks call it, after use_gpu(). A rank
// waits for the others at most `timeout` seconds. With one process without a launcher there is
// nothing to do. Throws Error.
void open_nccl(const Ranks& ranks, int64_t timeout);

}  // namespace rubric::distributed
