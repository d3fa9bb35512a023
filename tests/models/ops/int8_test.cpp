#include "models/ops/int8.h"

#include <limits>

#include "messages.h"
#include "models/fixture.h"

namespace rubric::models::int8_test {

// Without VNNI oneDNN computes the same, slowly.
struct Int8 : testing::TestWithParam<Int8Engine> {
  void SetUp() override {
    if (GetParam() == Int8Engine::onednn && !at::hasMKLDNN()) {
      GTEST_SKIP() << "this libtorch has no oneDNN";
    }
  }
  static Int8Weight pack(const at::Tensor& weight) { return pack_int8(weight, GetParam()); }
  static at::Tensor product(const at::Tensor& x, const at::Tensor& weight) {
    return int8_products(x, {{pack(weight)}}).front();
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Int8, testing::Values(Int8Engine::onednn, Int8Engine::fbgemm),
                         [](const auto& engine) {
                           return engine.param == Int8Engine::onednn ? "OneDnn" : "Fbgemm";
                         });

// What int8.h says, in double: round(x / most * steps) of each row, and `most` again.
at::Tensor rounded_rows(const at::Tensor& x, double steps) {
  const at::Tensor most = x.to(at::kDouble).abs().amax(1, /*keepdim=*/true);
  return (x.to(at::kDouble) / most * steps).round() * most / steps;
}

TEST_P(Int8, IsTheProductOfRoundedRows) {
  at::manual_seed(11);
  const TwoThreads threads;
  for (const int64_t tokens : {1, 7, 300}) {
    for (const auto& [in, out] : {std::pair(16, 5), {384, 64}, {100, 1000}}) {
      const at::Tensor x = 3 * at::randn({tokens, in}), weight = 0.1 * at::randn({out, in});
      const at::Tensor expected = rounded_rows(x, 63).matmul(rounded_rows(weight, 127).t());
      // A number in the middle of two steps may be rounded to either.
      const double largest_step =
          x.abs().max().item<double>() / 63 * weight.abs().max().item<double>();
      EXPECT_LT(difference(product(x, weight), expected.to(at::kFloat)), 1.01 * largest_step)
          << tokens << " " << in << " " << out;
    }
  }
}

// Pairs of products of 8 bits are added up in 16: inputs of 8 bits would be cut off there (but
// for CPUs with VNNI, which add in 32).
TEST_P(Int8, TheLargestNumbersDoNotOverflow) {
  const at::Tensor x = at::ones({4, 512}), weight = at::ones({32, 512});
  EXPECT_LT(difference(product(x, weight), at::full({4, 32}, 512.0)), 1e-2);
  EXPECT_LT(difference(product(-x, weight), at::full({4, 32}, -512.0)), 1e-2);
  EXPECT_LT(difference(product(x, -weight), at::full({4, 32}, -512.0)), 1e-2);
}

// oneDNN has other kernels for other numbers of rows, with AMX more so.
TEST_P(Int8, ATokenDoesNotDependOnTheOthers) {
  at::manual_seed(12);
  for (const auto& [in, out] : {std::pair(40, 50), {384, 1536}}) {
    const at::Tensor x = at::randn({70, in}), weight = at::randn({out, in});
    x[3].mul_(1000);
    const at::Tensor all = product(x, weight);
    for (const int64_t rows : {1, 2, 9, 35}) {
      for (int64_t row = 0; row + rows <= x.size(0); row += rows) {
        EXPECT_TRUE(at::equal(product(x.narrow(0, row, rows).contiguous(), weight),
                              all.narrow(0, row, rows)))
            << rows << " rows from " << row;
      }
    }
  }
}

TEST_P(Int8, WhatIsNotFiniteIsNotRounded) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {nan, infinity, -nan, -infinity}) {
    const at::Tensor x = at::ones({3, 24}), weight = at::ones({8, 24});
    x[1][5] = value;
    at::Tensor values = product(x, weight);
    EXPECT_TRUE(values[1].isnan().all().item<bool>());
    EXPECT_TRUE(values[0].isfinite().all().item<bool>());
    x[1][5] = 1;
    x[1][23] = value;  // behind the last whole register
    values = product(x, weight);
    EXPECT_TRUE(values[1].isnan().all().item<bool>());
    EXPECT_TRUE(values[0].isfinite().all().item<bool>());
    weight[2][3] = value;
    EXPECT_EQ(input_error([&] { pack(weight); }),
              error_lines("the model has a weight that is not finite", "", "use other weights"));
  }
}

TEST_P(Int8, ZerosGiveZeros) {
  at::manual_seed(13);
  const at::Tensor x = at::randn({3, 24}), weight = at::randn({8, 24});
  x[1].zero_();
  weight[2].zero_();
  x[2].fill_(1e-44);  // whose reciprocal is no float
  const at::Tensor values = product(x, weight);
  EXPECT_LT(values[2].abs().max().item<float>(), 1e-40);
  EXPECT_EQ(values[1].abs().max().item<float>(), 0);
  EXPECT_EQ(values.select(1, 2).abs().max().item<float>(), 0);
  EXPECT_GT(values[0].abs().max().item<float>(), 0);
}

TEST_P(Int8, TheBiasIsAdded) {
  at::manual_seed(14);
  const at::Tensor x = at::randn({3, 24}), weight = at::randn({8, 24}), bias = at::randn({8});
  const std::vector<at::Tensor> both = int8_products(x, {{pack(weight), bias}, {pack(2 * weight)}});
  EXPECT_LT(difference(both[0], product(x, weight) + bias), 1e-6);
  EXPECT_LT(difference(both[1], 2 * product(x, weight)), 1e-6);
}

// The rests are rounded to multiples of 1/63 of half a step of the first rounding at most.
TEST_P(Int8, InputsRoundedTwiceLoseLess) {
  at::manual_seed(16);
  const TwoThreads threads;
  for (const int64_t tokens : {1, 7, 70}) {
    const at::Tensor x = at::randn({tokens, 384}), weight = 0.1 * at::randn({64, 384});
    x.select(1, 5).mul_(100);
    const at::Tensor bias = at::randn({64});
    const Int8Weight packed = pack_int8(weight, GetParam(), Int8Inputs::twice);
    const at::Tensor product = int8_products(x, {{packed, bias}}).front();
    const at::Tensor rounded = rounded_rows(weight, 127);
    const at::Tensor exact = x.to(at::kDouble).matmul(rounded.t()) + bias;
    const at::Tensor largest_error = x.abs().amax(1, /*keepdim=*/true) / (4 * 63 * 63.0);
    const at::Tensor bound = largest_error * rounded.abs().sum(1) + 1e-5 * (1 + exact.abs());
    EXPECT_TRUE(((product - exact).abs() <= bound).all().item<bool>()) << tokens;
    // Once is not enough for this bound.
    EXPECT_FALSE(((int8_products(x, {{pack(weight), bias}}).front() - exact).abs() <= bound)
                     .all()
                     .item<bool>());
  }
  const at::Tensor x = at::ones({2, 24}), weight = at::ones({8, 24});
  x[1][5] = std::numeric_limits<double>::infinity();
  const at::Tensor product =
      int8_products(x, {{pack_int8(weight, GetParam(), Int8Inputs::twice)}}).front();
  EXPECT_LT(difference(product[0], at::full({8}, 24.0)), 1e-5);
  EXPECT_TRUE(product[1].isnan().all().item<bool>());
}

// Of inputs that need no rounding.
TEST(Int8Engines, GiveTheSame) {
  if (!at::hasMKLDNN()) GTEST_SKIP() << "this libtorch has no oneDNN";
  at::manual_seed(15);
  const at::Tensor x = at::randint(-62, 63, {50, 1536}) / 63.0;
  x.select(1, 0).fill_(1);
  const at::Tensor weight = 0.1 * at::randn({384, 1536});
  const at::Tensor of_onednn = int8_products(x, {{pack_int8(weight, Int8Engine::onednn)}}).front();
  const at::Tensor of_fbgemm = int8_products(x, {{pack_int8(weight, Int8Engine::fbgemm)}}).front();
  EXPECT_LT(difference(of_onednn, of_fbgemm), 1e-5);
}

}  // namespace rubric::models::int8_test
