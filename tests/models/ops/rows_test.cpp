#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "models/fixture.h"
#include "models/ops/fused.h"

namespace rubric::models::rows_test {

TEST(ForRows, GoesOverEachRowOnce) {
  const TwoThreads two;
  for (const int64_t width : {int64_t{0}, int64_t{1}, int64_t{16}, int64_t{1} << 20}) {
    std::vector<int> visits(2000);
    parallel_for_rows(2000, width, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) ++visits[static_cast<size_t>(row)];
    });
    EXPECT_EQ(visits, std::vector<int>(2000, 1)) << "width " << width;
  }
}

// at::parallel_for falls back to one thread in what is compiled without OpenMP: in the library,
// here.
TEST(ForRows, RunsOnAllThreads) {
  const TwoThreads two;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  parallel_for_rows(2000, 384, [&](int64_t, int64_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 2u);
}

TEST(ForRows, AFewShortRowsAreNotWorthAThread) {
  const TwoThreads two;
  int calls = 0;
  parallel_for_rows(10, 10, [&](int64_t, int64_t) { ++calls; });
  EXPECT_EQ(calls, 1);
}

}  // namespace rubric::models::rows_test
