// Collective operations that either succeed on all ranks or fail on all: a failure on one rank ends
// every rank with one explanation. Also values whose computation is divided among the ranks.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/system/parallel.h"
#include "distributed/ranks.h"

namespace rubric::distributed {

// Throws on all ranks when `problem`, the exception that ended this rank's work, is set on any.
// Rank 0 throws its own, else that of the first failed rank, prefixed with the rank's name; the
// other ranks throw one of the same kind (InputError, Interrupted, Error) that refers to rank 0.
// LostRank, and a `problem` that an earlier call threw (so that all ranks know it), are rethrown at
// once.
void throw_collectively(const Ranks& ranks, const std::exception_ptr& problem);

// Returns what `work` returns on this rank, once it has succeeded on all. `work` may itself call
// collective operations if it begins with run_on_all_ranks(): a rank that fails alone meets the
// others there.
template <class Work>
requires(!std::is_void_v<std::invoke_result_t<Work>>) auto run_on_all_ranks(const Ranks& ranks,
                                                                            const Work& work) {
  std::optional<std::invoke_result_t<Work>> result;
  std::exception_ptr problem;
  try {
    result = work();
  } catch (...) {
    problem = std::current_exception();
  }
  throw_collectively(ranks, problem);
  return std::move(*result);
}
void run_on_all_ranks(const Ranks& ranks, const std::function<void()>& work);

// Runs `work` on rank 0 only and returns its result on all ranks.
int64_t broadcast_from_main(const Ranks& ranks, const std::function<int64_t()>& work);

// Throws InputError on all ranks, with the first differing key and both values, unless `facts`, an
// object of strings, is the same on all.
void require_agreement(const Ranks& ranks, const Json& facts);

// Values computed in shares, each on one rank.

// Returns on all ranks the float32 tensor of `shape` assembled bit for bit from each rank's share.
// `compute` returns a contiguous tensor of that shape which is 0 outside the share, or one without
// elements when the share is empty. When it throws on one rank, all throw as throw_collectively()
// does.
at::Tensor gather_shares(const Ranks& ranks, at::IntArrayRef shape,
                         const std::function<at::Tensor(WorkShare)>& compute);

// The same for texts: `compute` returns a text for every row, "" outside the share.
std::vector<std::string> gather_shares(
    const Ranks& ranks, const std::function<std::vector<std::string>(WorkShare)>& compute);

}  // namespace rubric::distributed
