// What ranks do together or not at all: a failure on one of them ends all, with one explanation.
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

// Ends all ranks when `problem`, what ended this rank's work, is set on any. Rank 0 throws its own,
// else that of the first other rank with the rank's name before it; the others throw one of the
// same kind (InputError, Interrupted, Error) that refers to rank 0. A `problem`
// that another call threw, on all ranks then, is thrown again, and so is LostRank.
void end_collectively(const Ranks& ranks, const std::exception_ptr& problem);

// What `work` gives on this rank, once it is done on all. `work` may itself call what ranks call
// together, if that begins with together(): a rank that fails alone meets the others there.
template <class Work>
requires(!std::is_void_v<std::invoke_result_t<Work>>) auto collectively(const Ranks& ranks,
                                                                        const Work& work) {
  std::optional<std::invoke_result_t<Work>> result;
  std::exception_ptr problem;
  try {
    result = work();
  } catch (...) {
    problem = std::current_exception();
  }
  end_collectively(ranks, problem);
  return std::move(*result);
}
void collectively(const Ranks& ranks, const std::function<void()>& work);

// The whole number that `work` gives on rank 0, which alone does it, on all ranks.
int64_t broadcast_from_main(const Ranks& ranks, const std::function<int64_t()>& work);

// Throws InputError on all ranks, with the first key and both values, when `facts`, an object of
// strings, are not the same on all.
void require_agreement(const Ranks& ranks, const Json& facts);

// Values that the ranks compute for each other, each of them on one rank.

// What `compute` gives for each rank's share, put together on all ranks, bit for bit: float32 of
// `shape`. It gives a contiguous tensor of that shape which is 0 outside the share, or one without
// elements when there is nothing in the share. When it throws on one rank, all throw as
// end_collectively() does.
at::Tensor gather_shares(const Ranks& ranks, at::IntArrayRef shape,
                         const std::function<at::Tensor(WorkShare)>& compute);

// The same of texts: it gives a text for each of all rows, "" outside the share.
std::vector<std::string> gather_shares(
    const Ranks& ranks, const std::function<std::vector<std::string>(WorkShare)>& compute);

}  // namespace rubric::distributed
