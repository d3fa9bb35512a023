// Runs a command on all processes of a launcher (torchrun, srun, mpirun), with one result and one
// explanation of a failure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "distributed/ranks.h"

namespace rubric::cli {

// Connects to the other ranks; afterwards only rank 0 logs. Until then a stop signal ends the
// process with exit code 75. Throws as Ranks' constructor does.
distributed::Ranks join_ranks();

// Gives libtorch and all other work the same number of threads: `threads`, else the context's, or
// where both are 0 libtorch's (OMP_NUM_THREADS, else one for each core).
void share_threads(int64_t threads = 0);

// Does `work` on every rank. Throws what it throws, and on all ranks InputError unless they are the
// same build of the program and run the same `command`. Only rank 0 logs a stop.
void run_on_ranks(const std::string& command,
                  const std::function<void(const distributed::Ranks&)>& work);

// With several ranks, throws InputError on all when one of them cannot read `file` or its content
// differs between ranks.
void require_same_input(const distributed::Ranks& ranks, const std::string& file);

}  // namespace rubric::cli
