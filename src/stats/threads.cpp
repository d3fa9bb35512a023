#include "stats/threads.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace rubric {

void share_work(size_t count, size_t operations,
                const std::function<void(size_t first, size_t end)>& work) {
  constexpr size_t kWorthAThread = 1'000'000;
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const size_t pieces =
      std::clamp<size_t>(operations / kWorthAThread, 1, std::min(cores, count + 1));
  std::vector<std::jthread> threads;
  for (size_t piece = 1; piece < pieces; ++piece) {
    threads.emplace_back([&work, first = count * piece / pieces,
                          end = count * (piece + 1) / pieces] { work(first, end); });
  }
  work(0, count / pieces);
}

}  // namespace rubric
