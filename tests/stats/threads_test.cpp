#include "stats/threads.h"

#include <vector>

#include <gtest/gtest.h>

namespace rubric {
namespace {

TEST(ShareWork, CoversEveryStepOnce) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{3}, size_t{1000}}) {
    for (const size_t operations : {size_t{0}, size_t{1'000'000'000}}) {
      std::vector<int> visits(count);
      share_work(count, operations, [&](size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) ++visits[i];
      });
      EXPECT_EQ(visits, std::vector<int>(count, 1)) << count << " " << operations;
    }
  }
}

}  // namespace
}  // namespace rubric
