#include "distributed/cuda.h"

#include <ATen/ATen.h>

#include "distributed/some_ranks.h"
#include "messages.h"

namespace rubric {
namespace {

// On a machine with a GPU the library is opened and computes; elsewhere the message is one of
// three.
TEST(Cuda, ComputesOrSaysWhatIsMissing) {
  const RankOutcome outcome = run_launches({Launch{}}, [](const Ranks& ranks) {
    use_gpu(ranks);
    open_nccl(ranks, 60);
    EXPECT_EQ(at::ones({2}, at::kCUDA).sum().item<double>(), 2);
  })[0];
  if (outcome.code == kDone) return;
  EXPECT_EQ(outcome.code, kBadInput) << outcome.message;
  EXPECT_TRUE(holds(outcome.message, "built without CUDA") ||
              holds(outcome.message, "libraries cannot be opened: lib") ||
              holds(outcome.message, "no GPU can be used: "))
      << outcome.message;
  expect_contains(outcome.message, "or set device to cpu");
}

TEST(Cuda, ARankNeedsAGpuOfItsOwn) {
  Launch last;
  last.local_rank = 4;
  const RankOutcome outcome = run_launches({last}, [](const Ranks& ranks) {
    require_own_gpu(ranks, 5);
    require_own_gpu(ranks, 4);
  })[0];
  EXPECT_EQ(outcome.code, kBadInput);
  expect_contains(outcome.message, "number 4 of its machine (counted from 0), which has 4 GPUs");
  expect_contains(outcome.message, "device: cuda");
}

}  // namespace
}  // namespace rubric
