#include "train/optimizers/optimizer.h"

#include <set>

#include <ATen/ATen.h>

#include "distributed/some_ranks.h"
#include "temporary_folder.h"

namespace rubric::train::optimizer_test {

OptimizerConfig config_of(const std::string& name) {
  OptimizerConfig config;
  config.name = name;
  return config;
}

TEST(MakeOptimizer, IsAsTheConfigurationSays) {
  EXPECT_NE(dynamic_cast<AdamW*>(make_optimizer({}, config_of("adamw")).get()), nullptr);
  EXPECT_NE(dynamic_cast<Adafactor*>(make_optimizer({}, config_of("adafactor")).get()), nullptr);
}

// Five parameters of 60, 20, 12, 6 and 1 elements, the same ones every time.
Parameters five_parameters() {
  at::manual_seed(1);
  Parameters parameters;
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{3, 4}, {1}, {6}, {2, 3, 10}, {4, 5}}) {
    parameters.push_back({"p" + std::to_string(parameters.size()),
                          at::randn(sizes).set_requires_grad(true), sizes.size() > 1});
  }
  return parameters;
}

// Parameter 2 has a gradient in every other update alone.
void update(Optimizer& optimizer, const distributed::Ranks& ranks, int number) {
  at::manual_seed(static_cast<uint64_t>(number));
  optimizer.zero_gradients();
  for (const Parameter& parameter : optimizer.parameters()) {
    const at::Tensor gradient = at::randn(parameter.tensor.sizes());
    if (parameter.name == "p2" && number % 2 == 1) continue;
    parameter.tensor.mutable_grad() = gradient;
  }
  optimizer.step(1e-2);
  optimizer.all_gather_updates(ranks);
}

void expect_equal(const Optimizer& actual, const Optimizer& expected) {
  for (size_t i = 0; i < expected.parameters().size(); ++i) {
    EXPECT_TRUE(at::equal(actual.parameters()[i].tensor, expected.parameters()[i].tensor)) << i;
  }
}

std::unique_ptr<Optimizer> share_of_five(const std::string& name, WorkShare share) {
  return make_optimizer(five_parameters(), config_of(name), share);
}

TEST(Shares, EachHasAboutAsMuchAndTogetherTheyAreTheWhole) {
  const TemporaryFolder folder;
  for (const std::string name : {"adamw", "adafactor"}) {
    share_of_five(name, {})->save(folder.file("whole"));
    std::set<std::string> names;
    std::vector<int64_t> elements;
    for (int64_t index = 0; index < 3; ++index) {
      share_of_five(name, {index, 3})->save(folder.file("part"));
      elements.push_back(0);
      for (const auto& [tensor_name, tensor] : models::read_safetensors(folder.file("part"))) {
        EXPECT_TRUE(names.insert(tensor_name).second) << tensor_name;
        if (tensor_name.ends_with(".exp_avg")) elements.back() += tensor.numel();
      }
    }
    EXPECT_EQ(names.size(), models::read_safetensors(folder.file("whole")).size());
    if (name != "adamw") continue;
    EXPECT_EQ(elements, (std::vector<int64_t>{60, 20, 19}));
  }
}

TEST(Shares, GiveTheSameBitsAsOneOptimizer) {
  for (const std::string name : {"adamw", "adafactor"}) {
    for (const int size : {2, 6}) {  // on six ranks one has nothing
      const auto outcomes = run_ranks(size, [&](const distributed::Ranks& ranks) {
        const auto shared = share_of_five(name, {ranks.rank(), ranks.size()});
        const auto whole = share_of_five(name, {});
        for (int number = 0; number < 4; ++number) {
          update(*shared, ranks, number);
          update(*whole, ranks, number);
          expect_equal(*shared, *whole);
        }
      });
      for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kDone) << outcome.message;
    }
  }
}

// Nothing that no file has ever held may reach another rank.
TEST(Shares, AreNotToldOfAStateThatLacksSomething) {
  const TemporaryFolder folder;
  share_of_five("adamw", {})->save(folder.file("whole"));
  const models::NamedTensors whole = models::read_safetensors(folder.file("whole"));
  for (const bool is_whole : {true, false}) {
    const auto outcomes = run_ranks(2, [&](const distributed::Ranks& ranks) {
      models::NamedTensors saved = ranks.is_main() ? whole : models::NamedTensors();
      if (ranks.is_main() && !is_whole) saved.pop_back();
      share_of_five("adamw", {ranks.rank(), 2})->broadcast(ranks, saved);
    });
    for (const RankOutcome& outcome : outcomes) {
      EXPECT_EQ(outcome.code, is_whole ? kDone : kBadInput) << outcome.message;
    }
  }
}

TEST(Shares, OneProcessKeepsAll) {
  const auto one = share_of_five("adamw", {0, 1}), whole = share_of_five("adamw", {});
  update(*one, distributed::Ranks(), 0);
  update(*whole, distributed::Ranks(), 0);
  expect_equal(*one, *whole);
}

}  // namespace rubric::train::optimizer_test
