// Work on a thread of its own.
#pragma once

#include <future>
#include <utility>

#include "core/context.h"

namespace rubric {

// Does `work` in the caller's context while the caller goes on; at once if the context has one
// thread.
template <class Work>
[[nodiscard]] auto beside(Work work) {
  const Context& context = current_context();
  const auto when = context.threads == 1 ? std::launch::deferred : std::launch::async;
  auto result = std::async(when, [work = std::move(work), context]() mutable {
    const ContextScope scope(context);
    return work();
  });
  if (when == std::launch::deferred) result.wait();
  return result;
}

}  // namespace rubric
