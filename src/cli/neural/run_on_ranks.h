// A command that the processes of a launcher do together, with one result and one explanation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "distributed/ranks.h"

namespace rubric::cli {

// The ranks that this process is one of, once they have met; only rank 0 talks from now on. Until
// then a signal to stop ends the process, with exit code 75. Throws as Ranks' constructor does.
distributed::Ranks join_ranks();

// Throws InputError on all ranks unless they are the same build of the program and do the same, as
// `command` tells.
void require_same_program(const distributed::Ranks& ranks, const std::string& command);

// Does `work` on every rank and gives the exit code of this one. What ends one rank ends all, where
// they next call together(). Throws InputError when the ranks were not started
// with the same command, by the same version, and what `work` throws.
int run_on_ranks(const std::string& command, const std::vector<std::string>& arguments,
                 const std::function<void(const distributed::Ranks&)>& work);

// Throws InputError on all ranks of several when `file` is none that each of them can read, or not
// the same on all.
void require_same_input(const distributed::Ranks& ranks, const std::string& file);

}  // namespace rubric::cli
