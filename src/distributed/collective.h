// What ranks do together or not at all: a failure on one of them ends all, with one explanation.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/json/json.h"
#include "distributed/ranks.h"

namespace rubric {

// Ends all ranks when `problem`, what ended this rank's work, is set on any. Rank 0 throws its own,
// else that of the first other rank with the rank's name before it; the others throw one of the
// same kind (InputError, Interrupted, Error) that refers to rank 0. A `problem`
// that another call threw, on all ranks then, is thrown again, and so is LostRank.
void end_together(const Ranks& ranks, const std::exception_ptr& problem);

// What `work` gives on this rank, once it is done on all. `work` may itself call what ranks call
// together, if that begins with together(): a rank that fails alone meets the others there.
template <class Work>
requires(!std::is_void_v<std::invoke_result_t<Work>>) auto together(const Ranks& ranks,
                                                                    const Work& work) {
  std::optional<std::invoke_result_t<Work>> result;
  std::exception_ptr problem;
  try {
    result = work();
  } catch (...) {
    problem = std::current_exception();
  }
  end_together(ranks, problem);
  return std::move(*result);
}
void together(const Ranks& ranks, const std::function<void()>& work);

// The whole number that `work` gives on rank 0, which alone does it, on all ranks.
int64_t told_by_main(const Ranks& ranks, const std::function<int64_t()>& work);

// Throws InputError on all ranks, with the first key and both values, when `facts`, an object of
// strings, are not the same on all.
void require_agreement(const Ranks& ranks, const Json& facts);

}  // namespace rubric
