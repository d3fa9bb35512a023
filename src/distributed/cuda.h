// Chooses the GPU of a rank and opens NCCL, the communication between GPUs.
#pragma once

#include <cstdint>

#include "distributed/ranks.h"

namespace rubric::distributed {

// Throws InputError unless this rank's machine has at least as many GPUs (`devices`) as it needs
// for each rank to have its own.
void require_own_gpu(const Ranks& ranks, int devices);

// Loads the CUDA libraries, which the program does not link, and selects this rank's GPU: the one
// with the rank's local number. CUDA tensors are on that GPU from then on, and operations are
// deterministic, for which it changes settings of libtorch's global context. Call it before
// libtorch computes gradients. Throws InputError that says what is missing, and where
// $CUBLAS_WORKSPACE_CONFIG does not let cuBLAS be deterministic.
void use_gpu(const Ranks& ranks);

// Routes sums and broadcasts of GPU tensors through NCCL; all ranks call it, after use_gpu(). A
// rank waits at most `timeout` seconds for the others. Does nothing for one process without a
// launcher. Throws Error.
void open_nccl(const Ranks& ranks, int64_t timeout);

}  // namespace rubric::distributed
