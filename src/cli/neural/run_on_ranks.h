// Runs a command on all processes of a launcher (torchrun, srun, mpirun), with one result and one
// explanation of a failure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "distributed/ranks.h"

namespace rubric::cli {

// Connects to the other ranks; afterwards only rank 0 logs. Until then a stop signal ends the
// process with exit code 75. Throws as Ranks' constructor does.
distributed::Ranks join_ranks();

// Throws InputError on all ranks unless they are the same build of the program and run the same
// `command`.
void require_same_program(const distributed::Ranks& ranks, const std::string& command);

// Gives libtorch and all other work the same number of threads: the context's, or where that is 0
// libtorch's (OMP_NUM_THREADS, else one for each core).
void share_threads();

// Does `work` on every rank and returns this rank's exit code. A failure on one rank ends all, at
// their next call of run_on_all_ranks(). Throws what `work` throws, and InputError when the ranks
// were started with different commands or versions.
int run_on_ranks(const std::string& command, const std::vector<std::string>& arguments,
                 const std::function<void(const distributed::Ranks&)>& work);

// With several ranks, throws InputError on all when one of them cannot read `file` or its content
// differs between ranks.
void require_same_input(const distributed::Ranks& ranks, const std::string& file);

}  // namespace rubric::cli
