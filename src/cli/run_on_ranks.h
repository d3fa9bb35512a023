// A command that the processes of a launcher do together, with one result and one explanation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "distributed/ranks.h"

namespace rubric {

// Does `work` on every rank and gives the exit code of this one. Only rank 0 talks; what ends one
// rank ends all, where they next call together(). Throws InputError when the ranks were not started
// with the same command, by the same version, and what `work` throws.
int run_on_ranks(const std::string& command, const std::vector<std::string>& arguments,
                 const std::function<void(const Ranks&)>& work);

// Throws InputError on all ranks of several when `file` is none that each of them can read, or not
// the same on all.
void require_same_input(const Ranks& ranks, const std::string& file);

}  // namespace rubric
