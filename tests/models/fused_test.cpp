#include "models/fused.h"

#include <cmath>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

namespace rubric {
namespace {

constexpr double kRate = 0.3;
constexpr uint64_t kSite = 5;
constexpr double kEpsilon = 1e-12;

// The values and the gradients of two functions of the same inputs, on numbers that cover both
// tails.
void expect_equal(const std::function<at::Tensor(const std::vector<at::Tensor>&)>& fused,
                  const std::function<at::Tensor(const std::vector<at::Tensor>&)>& separate,
                  const std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> ours, theirs;
  for (const at::Tensor& value : values) {
    ours.push_back(value.clone().set_requires_grad(true));
    theirs.push_back(value.clone().set_requires_grad(true));
  }
  const at::Tensor out = fused(ours), expected = separate(theirs);
  EXPECT_LT((out - expected).abs().max().item<double>(), 2e-6);
  const at::Tensor d_out = at::randn_like(out);
  out.backward(d_out);
  expected.backward(d_out);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_LT((ours[i].grad() - theirs[i].grad()).abs().max().item<double>(), 2e-5)
        << "input " << i;
  }
}

TEST(Fused, BiasAndGeluEqualLibtorchs) {
  at::manual_seed(1);
  expect_equal([](const auto& in) { return bias_gelu(in[0], in[1]); },
               [](const auto& in) { return at::gelu(in[0] + in[1]); },
               {at::randn({37, 19}) * 4, at::randn({19})});
}

TEST(Fused, GeluWithoutGradientsIsTheSame) {
  at::manual_seed(2);
  const at::Tensor x = at::randn({5, 7}), bias = at::randn({7});
  const at::Tensor with_slope = bias_gelu(x, bias);
  const at::NoGradGuard no_grad;
  EXPECT_TRUE(at::equal(bias_gelu(x, bias), with_slope));
}

TEST(Fused, TheEndOfASubLayerEqualsLibtorchs) {
  at::manual_seed(3);
  const DropoutKeys keys{at::arange(31, at::kLong)};
  for (const DropoutKeys& row_keys : {DropoutKeys{}, keys}) {
    expect_equal(
        [&](const auto& in) {
          return add_norm(in[0], in[1], in[2], {in[3], in[4]}, kEpsilon, row_keys, kRate, kSite);
        },
        [&](const auto& in) {
          const at::Tensor sum = in[2] + dropout(in[0] + in[1], row_keys, kRate, kSite);
          return at::layer_norm(sum, {23}, in[3], in[4], kEpsilon);
        },
        {at::randn({31, 23}), at::randn({23}), at::randn({31, 23}) * 3, at::randn({23}),
         at::randn({23})});
  }
}

// at::parallel_for falls back to one thread in what is compiled without OpenMP.
TEST(Fused, LoopsRunOnAllThreads) {
  const int before = at::get_num_threads();
  at::set_num_threads(2);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  at::parallel_for(0, 2, 1, [&](int64_t, int64_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  at::set_num_threads(before);
  EXPECT_EQ(threads.size(), 2u);
}

// Not a number must stay one: the loop stops before it takes a step with such a loss.
TEST(Fused, NotANumberStaysOne) {
  const at::Tensor x = at::full({1, 3}, std::nan("")), bias = at::zeros({3});
  EXPECT_TRUE(bias_gelu(x, bias).isnan().all().item<bool>());
  const at::Tensor normed = add_norm(x, bias, bias.view({1, 3}), {at::ones({3}), bias}, kEpsilon,
                                     DropoutKeys{}, 0, kSite);
  EXPECT_TRUE(normed.isnan().all().item<bool>());
}

}  // namespace
}  // namespace rubric
