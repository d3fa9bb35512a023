#include "metrics/neural/batched_inference.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <numeric>
#include <thread>

#include "core/context.h"
#include "core/error.h"
#include "core/system/signals.h"
#include "models/fixture.h"
#include "models/ops/device.h"

namespace rubric::metrics::batched_inference_test {

using Batches = std::vector<std::span<const int64_t>>;

// Ten batches: of 1 row, of 2 and so on.
Batches ten_batches() {
  static const std::vector<int64_t> rows(10);
  Batches batches;
  for (size_t size = 1; size <= rows.size(); ++size) batches.push_back(std::span(rows).first(size));
  return batches;
}

// Of two threads each waits for the other one: not for ever, where there is but one.
void meet(std::latch& both) {
  both.count_down();
  for (int waits = 0; !both.try_wait() && waits < 1000; ++waits) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(both.try_wait());
}

TEST(ComputeBatches, EveryBatchIsOfOneShare) {
  const TwoThreads threads;
  std::vector<int> times(10);
  for (int64_t index = 0; index < 3; ++index) {
    std::vector<int64_t> told;
    compute_batches(
        ten_batches(), at::kCPU, {index, 3}, [&](size_t i) { ++times[i]; },
        [&](int64_t rows) { told.push_back(rows); });
    std::ranges::sort(told);
    std::vector<int64_t> sizes(10);
    std::iota(sizes.begin(), sizes.end(), 1);
    EXPECT_EQ(told, sizes);
  }
  EXPECT_EQ(times, std::vector<int>(10, 1));
}

TEST(ComputeBatches, ThreadsOfTheCpuComputeAtOnce) {
  const TwoThreads threads;
  std::latch both(2);
  std::atomic<int> computed = 0;
  const auto compute = [&](size_t i) {
    if (i < 2) meet(both);
    ++computed;
  };
  compute_batches(ten_batches(), at::kCPU, {}, compute, {});
  EXPECT_EQ(computed, 10);
}

TEST(ComputeBatches, AnotherDeviceHasThemInTurn) {
  const TwoThreads threads;
  std::vector<size_t> order;
  const auto caller = std::this_thread::get_id();
  const auto note = [&](size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  };
  compute_batches(ten_batches(), at::kCUDA, {}, note, {});
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(ComputeBatches, ThreadsHaveNoGradientsAndTheCallersPrecision) {
  const TwoThreads threads;
  const at::Tensor x = at::ones({2, 2}).set_requires_grad(true);
  for (const bool is_low : {false, true}) {
    const models::Autocast precision(at::kCPU, is_low);
    std::vector<at::Tensor> products(10);
    std::latch both(2);
    const auto multiply = [&](size_t i) {
      if (i < 2) meet(both);  // one on each thread
      products[i] = x.mm(x);
    };
    compute_batches(ten_batches(), at::kCPU, {}, multiply, {});
    for (const at::Tensor& product : products) {
      EXPECT_FALSE(product.requires_grad());
      EXPECT_EQ(product.scalar_type(), is_low ? at::kBFloat16 : at::kFloat);
    }
    EXPECT_EQ(models::is_autocast(at::kCPU), is_low);
  }
  EXPECT_TRUE(at::GradMode::is_enabled());
}

// By all of them: a thread that has a batch of its own makes its products alone.
TEST(ComputeBatches, ThreadsShareBatchesThatAreFewerThanThey) {
  const TwoThreads threads;
  const auto caller = std::this_thread::get_id();
  const auto compute = [&](size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_FALSE(at::in_parallel_region());
  };
  const Batches all = ten_batches();
  compute_batches({all.begin(), all.begin() + 1}, at::kCPU, {}, compute, {});
  // A share with one batch of two computes as the whole does.
  std::atomic<int> in_parallel = 0;
  compute_batches({all.begin(), all.begin() + 2}, at::kCPU, {1, 2},
                  [&](size_t) { in_parallel += at::in_parallel_region() ? 1 : 0; }, {});
  EXPECT_EQ(in_parallel, 1);
}

TEST(ComputeBatches, ThrowsWhatABatchThrew) {
  const TwoThreads threads;
  for (const size_t bad : {size_t{0}, size_t{9}}) {
    const auto compute = [&](size_t i) {
      if (i == bad) throw Error("batch " + std::to_string(i));
    };
    EXPECT_THROW(compute_batches(ten_batches(), at::kCPU, {}, compute, {}), Error);
  }
}

TEST(ComputeBatches, BeginsNothingAfterAnError) {
  const TwoThreads threads;
  const std::vector<int64_t> row(1);
  const Batches many(100'000, std::span(row));  // of a millisecond each
  std::atomic<int> begun = 0;
  const auto compute = [&](size_t i) {
    ++begun;
    if (i == 0) throw Error("batch 0");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  EXPECT_THROW(compute_batches(many, at::kCPU, {}, compute, {}), Error);
  EXPECT_LT(begun, 90'000);
}

// In a process of its own, started anew: signals and the request are a whole process's, and a fork
// would have none of the threads that an earlier test has started.
TEST(ComputeBatches, AStopEndsTheBatchesOfAllThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto stop_at_the_third = [] {
    const TwoThreads threads;
    catch_stop_signals();
    std::atomic<int> begun = 0;
    const auto compute = [&](size_t) {
      if (++begun == 3) raise(SIGTERM);
      while (begun > 3 && !is_stop_requested()) std::this_thread::yield();
    };
    try {
      compute_batches(ten_batches(), at::kCPU, {}, compute, {});
    } catch (const Interrupted&) {
      _exit(begun <= 4 ? kInterrupted : kFailed);  // the other thread's may have begun
    }
    _exit(kDone);
  };
  EXPECT_EXIT(stop_at_the_third(), testing::ExitedWithCode(kInterrupted), "");
}

TEST(TokensOfBatch, OnTheCpuAThreadsCacheIsTheLimit) {
  EXPECT_EQ(tokens_of_batch(4096, at::kCPU), kTokensPerThread);
  EXPECT_EQ(tokens_of_batch(100, at::kCPU), 100);
  EXPECT_EQ(tokens_of_batch(4096, at::kCUDA), 4096);
}

}  // namespace rubric::metrics::batched_inference_test
