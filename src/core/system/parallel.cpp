#include "core/system/parallel.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include <sched.h>

#include "core/context.h"

namespace rubric {

size_t usable_cores() {
  cpu_set_t cores;
  // Fails when there are more cores than the set can hold.
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) {
    return static_cast<size_t>(CPU_COUNT(&cores));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(size_t count, size_t operations,
                  const std::function<void(size_t first, size_t end)>& work) {
  constexpr size_t kWorthAThread = 1'000'000;
  const Context& context = current_context();
  const size_t threads = context.threads > 0 ? context.threads : usable_cores();
  const size_t ranges =
      std::clamp<size_t>(operations / kWorthAThread, 1, std::min(threads, count + 1));
  std::vector<std::exception_ptr> thrown(ranges);
  const auto run_range = [&](size_t range) {
    try {
      work(count * range / ranges, count * (range + 1) / ranges);
    } catch (...) {
      thrown[range] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> running;  // joined at the end of the block
    for (size_t range = 1; range < ranges; ++range) {
      running.emplace_back([&, range] {
        const ContextScope scope(context);
        run_range(range);
      });
    }
    run_range(0);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}

}  // namespace rubric
