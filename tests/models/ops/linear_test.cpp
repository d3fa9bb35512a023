#include "models/ops/linear.h"

#include "models/fixture.h"

namespace rubric::models {
namespace {

// Sizes that leave a part at every end: of registers, of tiles, of a thread's share.
TEST(FewRows, EqualsTheProductOfLibtorch) {
  at::manual_seed(4);
  const TwoThreads threads;
  for (const int64_t rows : {1, 3, 4, 7, 64}) {
    for (const int64_t in : {1, 8, 13, 200}) {
      for (const int64_t out : {1, 3, 5, 1000}) {
        const at::Tensor x = at::randn({rows, in}), weight = at::randn({out, in});
        const at::Tensor bias = at::randn({out});
        EXPECT_LT(difference(skinny_gemm(x, weight, bias), at::linear(x, weight, bias)), 1e-5)
            << rows << " " << in << " " << out;
        EXPECT_LT(difference(skinny_gemm(x, weight, {}), at::linear(x, weight)), 1e-5);
      }
    }
  }
}

TEST(FewRows, ARowDoesNotDependOnTheOthers) {
  const at::Tensor x = at::randn({9, 40}), weight = at::randn({50, 40});
  const at::Tensor all = skinny_gemm(x, weight, {});
  for (int64_t row = 0; row < 9; ++row) {
    EXPECT_TRUE(at::equal(skinny_gemm(x.narrow(0, row, 1).contiguous(), weight, {}),
                          all.narrow(0, row, 1)));
  }
}

}  // namespace
}  // namespace rubric::models
