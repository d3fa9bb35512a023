// Runs a command on all processes of a launcher (torchrun, srun, mpirun), with one result and one
// explanation of a failure.
#pragma once

#include <cstdint>
#include <string>

#include "distributed/ranks.h"

namespace rubric::cli {

// Connects to the other ranks; afterwards only rank 0 logs. Until then a stop signal ends the
// process with exit code 75. Throws as Ranks' constructor does.
distributed::Ranks join_ranks();

// Gives libtorch and all other work the same number of threads: `threads`, else the context's, or
// where both are 0 libtorch's (OMP_NUM_THREADS, else one for each core).
void share_threads(int64_t threads = 0);

// Throws InputError on all ranks unless they are the same build of the program and run the same
// `command`. From then on a stop signal cancels the work, and only rank 0 logs it.
void begin_together(const distributed::Ranks& ranks, const std::string& command);

// With several ranks, throws InputError on all when one of them cannot read `file` or its content
// differs between ranks.
void require_same_input(const distributed::Ranks& ranks, const std::string& file);

}  // namespace rubric::cli
