#include "distributed/cuda.h"

#include <ATen/ATen.h>

#include "distributed/some_ranks.h"
#include "messages.h"
#include "models/fixture.h"
#include "models/ops/aten_path.h"

namespace rubric::distributed::cuda_test {

// Whether a GPU is missing, or what computes on it.
bool lacks_gpu(const RankOutcome& outcome) {
  return outcome.code == kBadInput && (holds(outcome.message, "built without CUDA") ||
                                       holds(outcome.message, "libraries cannot be opened: lib") ||
                                       holds(outcome.message, "no GPU can be used: "));
}

// As rubric's main() and train do.
void start_gpu(const Ranks& ranks) {
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  use_gpu(ranks);
}

// On a machine with a GPU the library is opened and computes; elsewhere the message is one of
// three.
TEST(Cuda, ComputesOrSaysWhatIsMissing) {
  const RankOutcome outcome = run_launches({Launch{}}, [](const Ranks& ranks) {
    start_gpu(ranks);
    open_nccl(ranks, 60);
    EXPECT_EQ(at::ones({2}, at::kCUDA).sum().item<double>(), 2);
  })[0];
  if (outcome.code == kDone) return;
  EXPECT_TRUE(lacks_gpu(outcome)) << outcome.message;
  expect_contains(outcome.message, "or set device to cpu");
}

// Packed rows in bfloat16 go through FlashAttention; in float32 they are padded. Values and
// gradients are about 1, and bfloat16 has 8 bits.
TEST(Cuda, PackedRowsAttendAsPaddedOnesDo) {
  const models::Offsets rows = {0, 5, 6, 46};
  models::AttentionSettings settings{2};
  const auto attend = [&](const at::Tensor& values, at::ScalarType type) {
    const at::Tensor x = values.to(type).set_requires_grad(true);  // q, k and v side by side
    const auto part = [&](int64_t i) { return x.narrow(1, 128 * i, 128); };
    const at::Tensor out = models::aten_path::packed_attention(part(0), part(1), part(2), rows,
                                                               rows, settings, /*drops=*/false, {});
    EXPECT_EQ(out.scalar_type(), type);
    (out * values.narrow(1, 0, 128)).sum().backward();
    return std::pair(out.detach().to(at::kFloat), x.grad().to(at::kFloat));
  };
  const RankOutcome outcome = run_launches({Launch{}}, [&](const Ranks& ranks) {
    start_gpu(ranks);
    at::manual_seed(6);
    for (const bool causal : {false, true}) {
      settings.causal = causal;
      const at::Tensor values = at::randn({46, 384}, at::kCUDA).to(at::kBFloat16).to(at::kFloat);
      const auto [flash, flash_gradient] = attend(values, at::kBFloat16);
      const auto [padded, padded_gradient] = attend(values, at::kFloat);
      EXPECT_LT(difference(flash.cpu(), padded.cpu()), 2e-2);
      EXPECT_LT(difference(flash_gradient.cpu(), padded_gradient.cpu()), 5e-2);
    }
  })[0];
  EXPECT_TRUE(outcome.code == kDone || lacks_gpu(outcome)) << outcome.message;
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

}  // namespace rubric::distributed::cuda_test
