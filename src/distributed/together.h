// What ranks do together or not at all: a failure on one of them ends all, with one explanation.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "core/json.h"
#include "distributed/ranks.h"

namespace rubric {

// Ends all ranks when `problem`, what ended this rank's work, is set on any. Rank 0 throws its own,
// else that of the first other rank with the rank's name before it; the others throw one of the
// same kind (InputError, Interrupted, Error) that refers to rank 0.
void end_together(const Ranks& ranks, const std::exception_ptr& problem);

// What `work` gives on this rank, once it is done on all.
template <class Work>
auto together(const Ranks& ranks, const Work& work) {
  std::optional<decltype(work())> result;
  std::exception_ptr problem;
  try {
    result = work();
  } catch (...) {
    problem = std::current_exception();
  }
  end_together(ranks, problem);
  return std::move(*result);
}

// Throws InputError on all ranks, with the first key and both values, when `facts`, an object of
// strings, are not the same on all.
void require_agreement(const Ranks& ranks, const Json& facts);

}  // namespace rubric
