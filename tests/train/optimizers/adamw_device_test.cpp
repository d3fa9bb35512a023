#include "models/fixture.h"
#include "models/other_device.h"
#include "train/loop/loop.h"
#include "train/optimizers/optimizer.h"

namespace rubric::train::adamw_device_test {

TEST(AdamWElsewhere, UpdatesAreTheSame) {
  at::manual_seed(1);
  Parameters here, elsewhere;
  for (const bool decays : {true, false}) {
    const at::Tensor tensor = at::randn({5, 3});
    here.push_back({decays ? "weight" : "bias", tensor, decays});
    elsewhere.push_back({here.back().name, tensor.to(kOtherDevice), decays});
  }
  AdamW of_here(here, {}), of_elsewhere(elsewhere, {});
  for (int step = 0; step < 3; ++step) {
    for (size_t i = 0; i < here.size(); ++i) {
      here[i].tensor.mutable_grad() = at::randn({5, 3});
      elsewhere[i].tensor.mutable_grad() = here[i].tensor.grad().to(kOtherDevice);
    }
    const double norm = gradient_norm(here);
    EXPECT_EQ(gradient_norm(elsewhere), norm);
    for (const Parameters* parameters : {&here, &elsewhere}) clip_gradients(*parameters, norm, 1);
    of_here.step(1e-2);
    of_elsewhere.step(1e-2);
  }
  for (size_t i = 0; i < here.size(); ++i) {
    EXPECT_LT(difference(elsewhere[i].tensor.cpu(), here[i].tensor), 1e-6);
  }
}

}  // namespace rubric::train::adamw_device_test
