// COMET's heads on the checkpoints of tests/fixtures/make_comet.py, whose rows' ids are made here
// as unbabel-comet makes them.
#include "models/heads/comet.h"

#include "core/json/json.h"
#include "models/fixture.h"
#include "models/weights/torch_file.h"

namespace rubric::models::comet_test {

TEST(Comet, SparsemaxIsTheNearestPoint) {
  EXPECT_LT(difference(sparsemax(at::tensor({0.3, -2.0, 0.9})), at::tensor({0.2, 0.0, 0.8})), 1e-6);
  EXPECT_LT(difference(sparsemax(at::tensor({5.0, 5.0})), at::tensor({0.5, 0.5})), 1e-6);
  EXPECT_LT(difference(sparsemax(at::tensor({7.0})), at::tensor({1.0})), 1e-6);
  // Its Jacobian: centring among the numbers above 0.
  at::Tensor x = at::tensor({0.3, -2.0, 0.9}).set_requires_grad(true);
  (sparsemax(x) * at::tensor({1.0, 5.0, 3.0})).sum().backward();
  EXPECT_LT(difference(x.grad(), at::tensor({-1.0, 0.0, 1.0})), 1e-6);
}

}  // namespace rubric::models::comet_test
